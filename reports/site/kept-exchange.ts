import type { Run } from '../../contract/judge/verdict.ts';

/** An exchange that the site keeps: its index in exchanges.har, and the entry as it stood there. */
export type KeptExchange = { readonly index: number; readonly entry: unknown };

/** The parts of a HAR 1.2 entry that a page shows; absent parts are empty. */
export type ShownExchange = {
  readonly startedAt: string;
  readonly requestLine: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** Absent where no answer came. */
  readonly statusLine?: string;
  readonly responseHeaders: ShownExchange['requestHeaders'];
  readonly body: string;
  readonly milliseconds?: number;
  /** The failure on the way, such as `timeout in wait`. */
  readonly failure?: string;
};

/** Reads the shown parts of a HAR entry; the entry may be of any form. */
export function shownExchange(entry: unknown): ShownExchange {
  const [request, response] = [part(entry, 'request'), part(entry, 'response')];
  const failure = part(part(entry, '_candleproof'), 'failure');
  const [kind, time] = [text(part(failure, 'kind')), part(entry, 'time')];
  return {
    startedAt: text(part(entry, 'startedDateTime')),
    requestLine: `${text(part(request, 'method'))} ${text(part(request, 'url'))}`,
    requestHeaders: headers(request),
    ...(Number(part(response, 'status')) > 0 && { statusLine: statusLine(response) }),
    responseHeaders: headers(response),
    body: text(part(part(response, 'content'), 'text')),
    ...(typeof time === 'number' && { milliseconds: time }),
    ...(kind !== '' && { failure: `${kind} in ${text(part(failure, 'phase'))}` }),
  };
}

function statusLine(response: unknown): string {
  const words = ['httpVersion', 'status', 'statusText'].map((name) => text(part(response, name)));
  return words.filter((word) => word !== '').join(' ');
}

function headers(message: unknown): ShownExchange['requestHeaders'] {
  const all = part(message, 'headers');
  if (!Array.isArray(all)) return [];
  return all.map((header: unknown) => [text(part(header, 'name')), text(part(header, 'value'))] as const);
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Lists the exchanges that findings refer to, and those that they are measured by. */
export function exchangesOfFindings(
  findings: readonly {
    readonly exchange: number;
    readonly examples: readonly {
      readonly exchange: number;
      readonly beside?: readonly { readonly exchange: number }[];
    }[];
  }[],
): number[] {
  const all = findings.flatMap(({ exchange, examples }) => [
    exchange,
    ...examples.flatMap((example) => [example, ...(example.beside ?? [])].map((one) => one.exchange)),
  ]);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** A run on its way into the site. */
export type PublishedRun = {
  readonly run: Run;
  readonly id: string;
  /** The target's folder. */
  readonly slug: string;
  readonly kept: readonly KeptExchange[];
};
