import {
  type Body,
  type Credential,
  type Exchange,
  type HeaderLine,
  headerValues,
  type Phase,
  type ReceivedResponse,
  type Timings,
} from '../contract/exchange.ts';
import { foreignFailure } from './foreign-failure.ts';
import type { HarNode } from './har-node.ts';
import { PHASES, readHeaders } from './har-of-ours.ts';
import { credentialOfMarker } from './recorded-keys.ts';
import { bodyText, KEY_HEADER } from './redaction.ts';

/** Stands for an instant that the recording does not tell; later arithmetic on it is plainly off, and never fails. */
const UNKNOWN_INSTANT = '1970-01-01T00:00:00.000Z';

/** Reads an entry as browsers and Playwright write it. Only the address is indispensable. */
export function readForeignEntry(entry: HarNode): Exchange {
  const request = entry.member('request');
  const headers = foreignHeaders(request.member('headers'));
  const response = foreignResponse(entry.member('response'));
  const failure = foreignFailure(entry, response !== undefined);
  return {
    request: {
      method: request.member('method').optional((node) => node.text()) ?? 'GET',
      url: request.member('url').text(),
      headers,
      credential: foreignCredential(headers),
    },
    ...(response && { response }),
    ...(failure && { failure }),
    timings: foreignTimings(entry),
    startedAt: foreignStart(entry, response),
  };
}

/** The names of HTTP/2 that stand for the first line are no headers. */
function foreignHeaders(node: HarNode): HeaderLine[] {
  return (node.optional(readHeaders) ?? []).filter(([name]) => !name.startsWith(':'));
}

/** Browsers may cut the key on export, so its absence tells nothing. */
function foreignCredential(headers: readonly HeaderLine[]): Credential {
  const [value] = headerValues(headers, KEY_HEADER);
  return value === undefined ? 'unknown' : (credentialOfMarker(value) ?? 'api-key');
}

/** Undefined where no status line came: written as 0, or as -1 by Playwright. */
function foreignResponse(node: HarNode): ReceivedResponse | undefined {
  const status = node.member('status').optional((each) => each.number()) ?? 0;
  if (status <= 0) return undefined;
  return {
    status,
    statusText: node.member('statusText').optional((each) => each.text()) ?? '',
    httpVersion: node.member('httpVersion').optional((each) => each.text()) ?? '',
    headers: foreignHeaders(node.member('headers')),
    body: foreignBody(node),
  };
}

/** A size of 0 on the wire beside content means that a cache answered or that nobody counted. */
function foreignBody(response: HarNode): Body {
  const content = response.member('content');
  const text = content.member('text').optional((node) => node.text()) ?? '';
  const isBase64 = content.member('encoding').optional((node) => node.text().toLowerCase()) === 'base64';
  const decodedBytes = told(content.member('size'));
  const wireBytes = told(response.member('bodySize'));
  const counted = wireBytes !== undefined && (wireBytes > 0 || decodedBytes === 0);
  return {
    ...(isBase64 ? bodyText(Buffer.from(text, 'base64')) : { text, encoding: 'utf8' as const }),
    ...(decodedBytes !== undefined && { decodedBytes }),
    ...(counted && { wireBytes }),
  };
}

/** A number that is not negative; anything else is how exporters say that they do not know. */
function told(node: HarNode): number | undefined {
  const { value } = node;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** HAR counts the handshake into `connect`. Firefox writes 0 for what did not happen. */
function foreignTimings(entry: HarNode): Timings {
  const ms = (name: string): number => told(entry.member('timings').member(name)) ?? 0;
  const tls = ms('ssl');
  const { send, wait, receive, dns } = {
    send: ms('send'),
    wait: ms('wait'),
    receive: ms('receive'),
    dns: ms('dns'),
  };
  const all: { [phase in Phase]: number } = { dns, connect: ms('connect') - tls, tls, send, wait, receive };
  const measured = PHASES.filter((phase) => all[phase] > 0).map((phase) => [phase, all[phase]] as const);
  const total = told(entry.member('time')) ?? measured.reduce((sum, [, each]) => sum + each, 0);
  return { ...Object.fromEntries(measured), total };
}

/** By the browser's clock, or else by the answer's Date. */
function foreignStart(entry: HarNode, response: ReceivedResponse | undefined): string {
  const candidates = [
    entry.member('startedDateTime').value,
    ...headerValues(response?.headers ?? [], 'date'),
  ];
  for (const each of candidates) {
    const instant =
      typeof each === 'string' && /(Z|GMT|[+-]\d\d:?\d\d)$/.test(each) ? Date.parse(each) : Number.NaN;
    if (!Number.isNaN(instant)) return new Date(instant).toISOString();
  }
  return UNKNOWN_INSTANT;
}
