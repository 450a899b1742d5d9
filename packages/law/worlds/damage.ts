import { type Exchange, type HeaderLine, headerValues, type RecorderFacts } from '../reading/exchange.ts';
import type { NamedRecording } from './recorded.ts';

/** Damages one exchange. */
export type Distort = (exchange: Exchange) => Exchange;

/** A candle or token as parsed from JSON. */
export type Fields = Record<string, unknown>;

/** The fields of a candlestick, as the document lists them (§2.2). */
export const candleFields = [
  'poolId',
  'open',
  'high',
  'low',
  'close',
  'avg',
  'volume',
  'liquidity',
  'volumeUsd',
  'liquidityUsd',
  'timestampSeconds',
  'startTimestampSeconds',
];

/** Returns the run with the exchange of this name damaged. */
export function damageExchange(recorded: NamedRecording, name: string, damage: Distort): NamedRecording {
  const at = recorded.names.indexOf(name);
  if (at < 0) throw new Error(`no request is called ${name}; the names are ${recorded.names.join(', ')}`);
  const exchanges = recorded.recording.exchanges.map((exchange, index) =>
    index === at ? damage(exchange) : exchange,
  );
  return { ...recorded, recording: { ...recorded.recording, exchanges } };
}

/** Returns the run with this exchange and all later ones damaged. */
export function damageFrom(recorded: NamedRecording, name: string, damage: Distort): NamedRecording {
  const first = recorded.names.indexOf(name);
  return withExchanges(recorded, (all) =>
    all.map((exchange, at) => (at >= first ? damage(exchange) : exchange)),
  );
}

/** Returns the run with further exchanges at its end, or without some. */
export function withExchanges(
  recorded: NamedRecording,
  change: (exchanges: readonly Exchange[]) => readonly Exchange[],
): NamedRecording {
  const exchanges = change(recorded.recording.exchanges);
  const names = exchanges.map((_, index) => recorded.names[index] ?? 'added');
  return { ...recorded, names, recording: { ...recorded.recording, exchanges } };
}

/** Returns the run as another tool recorded it, whose clock is not trusted. */
export function foreign(recorded: NamedRecording): NamedRecording {
  return withExchanges(recorded, (all) =>
    all.map((exchange, at) => ({ ...exchange, recorder: { place: `log.entries[${at}]` } })),
  );
}

/** Returns the run in which these were requests for the tokens instead, so that their answers are unknown. */
export function withoutRequests(recorded: NamedRecording, ...names: readonly string[]): NamedRecording {
  return names.reduce((changed, name) => replaceRequest(changed, name, 'tokens'), recorded);
}

/** Returns the run in which this request repeats another one, perhaps respelled, and gets its answer. */
export function replaceRequest(
  recorded: NamedRecording,
  name: string,
  other: string,
  reworded: (url: string) => string = (url) => url,
): NamedRecording {
  const { request, response } = recorded.recording.exchanges[recorded.names.indexOf(other)] ?? {};
  return damageExchange(recorded, name, (exchange) => ({
    ...text(response?.body?.text ?? '')(exchange),
    request: { ...exchange.request, url: reworded(request?.url ?? '') },
  }));
}

/** Returns the list that answered this request. */
export function answeredList({ recording, names }: NamedRecording, name: string): Fields[] {
  const { response } = recording.exchanges[names.indexOf(name)] ?? {};
  return JSON.parse(response?.body?.text ?? '[]') as Fields[];
}

/** Replaces the body and adjusts its length. */
export function text(change: string | ((text: string) => string)): Distort {
  return (exchange) => {
    const { response } = exchange;
    if (!response) return exchange;
    const content = typeof change === 'string' ? change : change(response.body?.text ?? '');
    const bytes = Buffer.byteLength(content);
    const headers = response.headers.map(
      ([name, value]): HeaderLine => [name, /^content-length$/i.test(name) ? String(bytes) : value],
    );
    const body = { text: content, encoding: 'utf8' as const, decodedBytes: bytes, wireBytes: bytes };
    return { ...exchange, response: { ...response, headers, body } };
  };
}

/** Replaces the JSON value; the old one may be changed in place. */
export function value(change: (value: unknown) => unknown): Distort {
  return text((body) => JSON.stringify(change(JSON.parse(body))));
}

/** Replaces the rows of an answer that is a list. */
export function rows(change: (rows: Fields[]) => readonly unknown[]): Distort {
  return value((list) => change(list as Fields[]));
}

/** Changes fields in one row of a list, or in a single record; `undefined` removes a field. */
export function fields(row: number, change: Fields | ((record: Fields) => Fields)): Distort {
  return value((content) => {
    const record = (Array.isArray(content) ? content.at(row) : content) as Fields;
    Object.assign(record, typeof change === 'function' ? change(record) : change);
    return content;
  });
}

/** Changes the same fields in every row. */
export function everyRow(change: (record: Fields, row: number) => Fields): Distort {
  return rows((list) => list.map((fields, row) => ({ ...fields, ...change(fields, row) })));
}

/** Replaces a header: removes it for undefined, sends several for a list. */
export function header(name: string, value: string | readonly string[] | undefined): Distort {
  return (exchange) => {
    const { response } = exchange;
    if (!response) return exchange;
    const values = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    const others = response.headers.filter(([header]) => header.toLowerCase() !== name);
    const headers = [...others, ...values.map((value): HeaderLine => [name, value])];
    return { ...exchange, response: { ...response, headers } };
  };
}

/** Changes the number in a header. */
export function count(name: string, change: (value: number) => number): Distort {
  return (exchange) => {
    const [reported] = headerValues(exchange.response?.headers ?? [], name);
    return header(name, String(change(Number(reported))))(exchange);
  };
}

/** Replaces the status. */
export function status(code: number): Distort {
  return (exchange) => ({
    ...exchange,
    ...(exchange.response && { response: { ...exchange.response, status: code } }),
  });
}

/** Replaces the answer by a failure. */
export function failure(kind: 'timeout' | 'reset' | 'unreachable' | 'certificate'): Distort {
  return ({ response: _, ...exchange }) => ({
    ...exchange,
    failure: { phase: 'connect', kind, message: `it was ${kind}` },
  });
}

/** Breaks the answer off after it began. */
export const brokenOff: Distort = (exchange) => ({
  ...exchange,
  failure: { phase: 'receive', kind: 'truncated', message: 'it broke off' },
});

/** Marks the exchange as recorded by another tool, which left something out or took the answer from a cache. */
export function withRecorder(facts: Omit<RecorderFacts, 'place'> = {}): Distort {
  return (exchange) => ({ ...exchange, recorder: { place: 'log.entries[0]', ...facts } });
}

/** Drops the body from the recording. */
export const bodiless: Distort = ({ response, ...exchange }) => {
  if (!response) return exchange;
  const { body: _, ...rest } = response;
  return { ...exchange, response: rest };
};

/** Applies several damages from left to right. */
export function all(...damages: readonly Distort[]): Distort {
  return (exchange) => damages.reduce((changed, damage) => damage(changed), exchange);
}
