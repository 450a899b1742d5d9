import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import { thousands } from '@candleproof/law/reading/thousands';
import { clip } from '../words/escape.ts';
import { joinLines, type Markup, markup } from '../words/markup.ts';
import { longestBody, markedBody, type RowParts } from './marked-body.ts';

/** The parts of an exchange that pages show, from wherever it was kept. */
export type ShownExchange = {
  readonly startedAt: string;
  /** `GET https://api.example/tokens`. */
  readonly request: string;
  readonly requestHeaders: readonly HeaderLine[];
  /** `HTTP/1.1 200 OK`; empty without a response. */
  readonly status: string;
  readonly responseHeaders: readonly HeaderLine[];
  readonly body: string;
  readonly isText: boolean;
  readonly milliseconds?: number | undefined;
  /** `timeout at wait: no answer within 10000 ms`; empty for one that did not fail. */
  readonly failure: string;
};

/** Reads an exchange of a run. */
export function showExchange({ request, response, failure, startedAt, timings }: Exchange): ShownExchange {
  return {
    ...{ startedAt, requestHeaders: request.headers, milliseconds: timings.total },
    request: `${request.method} ${request.url}`,
    status: response ? joinWords(response.httpVersion, response.status, response.statusText) : '',
    responseHeaders: response?.headers ?? [],
    body: response?.body?.text ?? '',
    isText: response?.body?.encoding !== 'base64',
    failure: failure ? `${failure.kind} at ${failure.phase}: ${failure.message}` : '',
  };
}

/** Reads an entry of a HAR file, or the exchange that an incident keeps; either may have any form. */
export function showKept(kept: unknown): ShownExchange {
  const [request, response] = [part(kept, 'request') ?? kept, part(kept, 'response') ?? kept];
  const failure = part(part(kept, '_candleproof'), 'failure') ?? part(kept, 'failure');
  const time = part(kept, 'time') ?? part(kept, 'totalMs');
  const [kind, message] = [part(failure, 'kind'), part(failure, 'message')];
  const [status, content] = [part(response, 'status'), part(response, 'content')];
  return {
    startedAt: text(part(kept, 'startedDateTime') ?? part(kept, 'startedAt')),
    request: joinWords(part(request, 'method'), part(request, 'url')),
    requestHeaders: request === kept ? [] : headerLines(request),
    status:
      Number(status) > 0
        ? joinWords(part(response, 'httpVersion'), status, part(response, 'statusText'))
        : '',
    responseHeaders: headerLines(response),
    body: text(part(response, 'body') ?? part(content, 'text')),
    isText: part(content, 'encoding') !== 'base64',
    milliseconds: typeof time === 'number' ? time : undefined,
    failure:
      kind === undefined
        ? ''
        : `${text(kind)} at ${text(part(failure, 'phase'))}${message === undefined ? '' : `: ${text(message)}`}`,
  };
}

function joinWords(...words: readonly unknown[]): string {
  return words.map(text).filter(Boolean).join(' ');
}

function headerLines(message: unknown): HeaderLine[] {
  const all = part(message, 'headers');
  if (!Array.isArray(all)) return [];
  return all.map(
    (header: unknown): HeaderLine =>
      Array.isArray(header)
        ? [text(header[0]), text(header[1])]
        : [text(part(header, 'name')), text(part(header, 'value'))],
  );
}

/** Returns a member of a value of any form; undefined if it has none. */
export function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const longestLine = 2000;
const mostLines = 60;

/** Says where all of an exchange is, and how many characters of a body are shown. */
type Shortened = { readonly rest: string; readonly longest?: number };

/** Renders an exchange as it was sent and received, its body around the marked rows, or its beginning. */
export function exchangeParts(shown: ShownExchange, rows: RowParts, shortened: Shortened): Markup {
  const { request, requestHeaders, status, responseHeaders } = shown;
  return markup`${textBlock('Request', [clip(request, longestLine), ...requestHeaders.map(headerText)])}${status !== '' && textBlock('Response', [status, ...responseHeaders.map(headerText)])}${bodyPart(shown, rows, shortened)}`;
}

function headerText([name, value]: HeaderLine): string {
  return clip(`${name}: ${value}`, longestLine);
}

function bodyPart(
  { body, isText }: ShownExchange,
  rows: RowParts,
  { rest, longest = longestBody }: Shortened,
): Markup | undefined {
  if (body === '') return undefined;
  if (!isText) return markup`<p class="where">The body is no text; ${rest} has it as base64.</p>`;
  const marked = markedBody(body, rows);
  if (marked) return markup`<h3>Body, around the finding</h3>${marked}`;
  const lines = clip(body, longest).split(/\r?\n/).slice(0, mostLines);
  const left = body.length - lines.join('\n').length;
  return markup`${textBlock('Body', lines)}${left > 0 && markup`<p class="where">and ${thousands(left)} more characters, in ${rest}</p>`}`;
}

function textBlock(name: string, lines: readonly string[]): Markup {
  return markup`<h3>${name}</h3><pre>${joinLines(lines)}</pre>`;
}
