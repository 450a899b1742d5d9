import {
  type Credential,
  type Exchange,
  type HeaderLine,
  headerValues,
  type Phase,
  type ReceivedResponse,
  type RecorderFacts,
  type Timings,
} from '@candleproof/law/reading/exchange';
import { credentialOfMarker } from '../secrets/recorded-secrets.ts';
import { KEY_HEADER } from '../secrets/redaction.ts';
import { foreignBody, foreignFailure, type ReadAttached, type Skipped } from './foreign-entry.ts';
import type { HarNode } from './har-node.ts';
import { PHASES, readHeaders, readRequestBody } from './har-of-ours.ts';

/** Reads an entry as browsers, Playwright and proxies write it. Only its URL is required. */
export function readForeignEntry(entry: HarNode, attached: ReadAttached): Exchange | Skipped {
  const request = entry.member('request');
  const headers = foreignHeaders(request.member('headers'));
  const response = foreignResponse(entry.member('response'), attached);
  const url = request.member('url').text();
  const failure = foreignFailure(entry, response !== undefined);
  if (failure && 'skipped' in failure) return failure;
  const timings = foreignTimings(entry);
  return {
    request: {
      method: request.member('method').optional((node) => node.text()) ?? 'GET',
      url,
      headers,
      ...readRequestBody(request),
      credential: foreignCredential(headers),
    },
    response,
    failure,
    timings,
    startedAt: (instantOf(entry) ?? dateOf(response) ?? new Date(0)).toISOString(),
    recorder: recorderFacts(entry, response, timings),
  };
}

function recorderFacts(
  entry: HarNode,
  response: ReceivedResponse | undefined,
  timings: Timings,
): RecorderFacts {
  const isTimed = instantOf(entry) !== undefined && timings.total > 0 && !isQueued(entry);
  return {
    place: entry.pointer,
    ...(isFromCache(entry) && { fromCache: true }),
    ...(response?.headers.length === 0 && { headersLeftOut: true }),
    ...(!isTimed && { timesUnknown: true }),
  };
}

/** A page's requests wait for a free connection. Unless the entry has the duration, the time of sending is unknown. */
function isQueued(entry: HarNode): boolean {
  return !entry.member('pageref').absent && entry.member('timings').member('blocked').absent;
}

/** Chrome and Safari report cached answers in members of theirs; a 304 shows that the client had a cached copy. */
function isFromCache(entry: HarNode): boolean {
  const { value: reported } = entry.member('_fromCache');
  const { value: fetched } = entry.member('_fetchType');
  return (
    (reported !== undefined && reported !== null && reported !== false && reported !== '') ||
    entry.member('_fetchedViaServiceWorker').value === true ||
    (typeof fetched === 'string' && /cache|service worker/i.test(fetched)) ||
    entry.member('response').member('status').value === 304
  );
}

/** HTTP/2 pseudo-headers, such as `:path`, are no headers. */
function foreignHeaders(node: HarNode): HeaderLine[] {
  return (node.optional(readHeaders) ?? []).filter(([name]) => !name.startsWith(':'));
}

/** Browsers may remove the key on export, so its absence shows nothing. */
function foreignCredential(headers: readonly HeaderLine[]): Credential {
  const [value] = headerValues(headers, KEY_HEADER);
  return value === undefined ? 'unknown' : (credentialOfMarker(value) ?? 'api-key');
}

/** Undefined if no status line came, which is written as status 0, or -1 by Playwright. */
function foreignResponse(node: HarNode, attached: ReadAttached): ReceivedResponse | undefined {
  const status = node.member('status').optional((status) => status.number()) ?? 0;
  if (status <= 0) return undefined;
  const headers = foreignHeaders(node.member('headers'));
  const body = foreignBody(node, headers, attached);
  return {
    status,
    statusText: node.member('statusText').optional((text) => text.text()) ?? '',
    httpVersion: node.member('httpVersion').optional((version) => version.text()) ?? '',
    headers,
    body,
  };
}

/** Returns a number of 0 or more; exporters write anything else for an unknown duration. */
function millisecondsOf(node: HarNode): number | undefined {
  const { value } = node;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** HAR counts the TLS handshake into `connect`. Firefox writes 0 for a phase that did not happen. */
function foreignTimings(entry: HarNode): Timings {
  const ms = (name: string): number => millisecondsOf(entry.member('timings').member(name)) ?? 0;
  const tls = ms('ssl');
  const { send, wait, receive, dns } = {
    send: ms('send'),
    wait: ms('wait'),
    receive: ms('receive'),
    dns: ms('dns'),
  };
  const all: { [phase in Phase]: number } = { dns, connect: ms('connect') - tls, tls, send, wait, receive };
  const measured = PHASES.filter((phase) => all[phase] > 0).map((phase) => [phase, all[phase]] as const);
  const total =
    millisecondsOf(entry.member('time')) ?? measured.reduce((sum, [, duration]) => sum + duration, 0);
  return { ...Object.fromEntries(measured), total };
}

/** Returns the start by the recorder's clock; undefined if the time has no zone. */
function instantOf(entry: HarNode): Date | undefined {
  return dateFrom(entry.member('startedDateTime').value);
}

/** Returns the answer's Date, in whole seconds; the time of the request is unknown. */
function dateOf(response: ReceivedResponse | undefined): Date | undefined {
  return dateFrom(headerValues(response?.headers ?? [], 'date')[0]);
}

function dateFrom(text: unknown): Date | undefined {
  const isZoned = typeof text === 'string' && /(Z|GMT|[+-]\d\d:?\d\d)$/.test(text);
  const date = new Date(isZoned ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
