import type { NamedRow } from '@candleproof/law/judge/verdict';
import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import { thousands } from '@candleproof/law/reading/words';
import { clip } from '../words/escape.ts';
import { joinLines, type Markup, markup } from '../words/markup.ts';
import { findRowText, skipComma, type TextPart } from './row-text.ts';

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

/** Characters of a body or of a row that are shown; exchanges.har holds all of it. */
const longestBody = 2000;

/** Characters that are shown before and after a row. */
const around = 400;

/** A part of a body; a hole is an empty one, where a row is missing. */
type RowPart = TextPart & { readonly isHole?: true };

export type RowParts = ReadonlyMap<string, RowPart>;

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

/** Returns the id of a marked row in the page. */
export function rowId(exchange: number, pointer: string): string {
  const row = /^.*?\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? pointer;
  return `exchange-${exchange}-at${row.replace(/[^\w]+/g, '-')}`;
}

/** Finds the rows of an exchange that are named, and the places behind rows; missing ones are omitted. */
export function findRows(text: string, exchange: number, places: readonly NamedRow[]): RowParts {
  const byId = new Map(
    places
      .filter((place) => place.exchange === exchange)
      .map((place) => [rowId(exchange, place.pointer), place]),
  );
  return new Map(
    [...byId].flatMap(([id, { pointer, after }]): [string, RowPart][] => {
      const part = findRowText(text, pointer);
      if (!part) return [];
      const end = after && skipComma(text, part.to);
      return [[id, end === undefined ? part : { from: end, to: end, isHole: true }]];
    }),
  );
}

/** Renders the text around rows, each marked under its id; undefined if there are no rows. */
export function markedBody(text: string, rows: RowParts): Markup | undefined {
  if (rows.size === 0) return undefined;
  let shown = 0;
  const pieces = [...rows]
    .toSorted(([, a], [, b]) => a.from - b.from)
    .map(([id, { from, to, isHole }]) => {
      const start = Math.max(shown, from - around);
      const content = isHole ? '— missing here —' : clip(text.slice(Math.max(shown, from), to), longestBody);
      const piece = markup`${start > shown && '… '}${text.slice(start, Math.max(start, from))}<mark${isHole && markup` class="hole"`} id="${id}">${content}</mark>`;
      shown = Math.max(shown, to);
      return piece;
    });
  return markup`<pre>${pieces}${text.slice(shown, shown + around)}${shown + around < text.length && ' …'}</pre>`;
}
