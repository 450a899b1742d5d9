import { type Exchange, type HeaderLine, headerValues, type RecorderFacts } from '../reading/exchange.ts';
import type { NamedRecording } from './recorded.ts';

/** What is done to one exchange. */
export type Distort = (exchange: Exchange) => Exchange;

/** A candle or token as JSON gave it. */
export type Fields = Record<string, unknown>;

/** What a candlestick has, as the document lists it (§2.2). */
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

/** The same run with the exchange of this name damaged. */
export function damaged(recorded: NamedRecording, name: string, damage: Distort): NamedRecording {
  const at = recorded.names.indexOf(name);
  if (at < 0) throw new Error(`no request is called ${name}; the names are ${recorded.names.join(', ')}`);
  const exchanges = recorded.recording.exchanges.map((each, index) => (index === at ? damage(each) : each));
  return { ...recorded, recording: { ...recorded.recording, exchanges } };
}

/** The same run with this exchange and all after it damaged. */
export function damagedFrom(recorded: NamedRecording, name: string, damage: Distort): NamedRecording {
  const first = recorded.names.indexOf(name);
  return withExchanges(recorded, (all) => all.map((each, at) => (at >= first ? damage(each) : each)));
}

/** The same run with further exchanges at its end, or without some. */
export function withExchanges(
  recorded: NamedRecording,
  change: (exchanges: readonly Exchange[]) => readonly Exchange[],
): NamedRecording {
  const exchanges = change(recorded.recording.exchanges);
  const names = exchanges.map((_, index) => recorded.names[index] ?? 'added');
  return { ...recorded, names, recording: { ...recorded.recording, exchanges } };
}

/** The same run as another tool recorded it, whose clock nobody vouches for. */
export function foreign(recorded: NamedRecording): NamedRecording {
  return withExchanges(recorded, (all) =>
    all.map((each, at) => ({ ...each, recorder: { place: `log.entries[${at}]` } })),
  );
}

/** The same run in which these were requests for the tokens instead: nobody knows what they would have returned. */
export function withoutRequests(recorded: NamedRecording, ...names: readonly string[]): NamedRecording {
  return names.reduce((changed, name) => requestedAs(changed, name, 'tokens'), recorded);
}

/** The same run in which this request was the same as another one, perhaps spelt differently, and was answered the same. */
export function requestedAs(
  recorded: NamedRecording,
  name: string,
  other: string,
  reworded: (url: string) => string = (url) => url,
): NamedRecording {
  const { request, response } = recorded.recording.exchanges[recorded.names.indexOf(other)] ?? {};
  return damaged(recorded, name, (exchange) => ({
    ...text(response?.body?.text ?? '')(exchange),
    request: { ...exchange.request, url: reworded(request?.url ?? '') },
  }));
}

/** The list that this request was answered with. */
export function listIn({ recording, names }: NamedRecording, name: string): Fields[] {
  const { response } = recording.exchanges[names.indexOf(name)] ?? {};
  return JSON.parse(response?.body?.text ?? '[]') as Fields[];
}

/** Another body, with the length that belongs to it. */
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

/** Another JSON value; the old one may be changed in place. */
export function value(change: (value: unknown) => unknown): Distort {
  return text((body) => JSON.stringify(change(JSON.parse(body))));
}

/** Other rows of an answer that is a list. */
export function rows(change: (rows: Fields[]) => readonly unknown[]): Distort {
  return value((list) => change(list as Fields[]));
}

/** Other fields in one row of a list, or in an answer that is a single record; `undefined` removes a field. */
export function fields(row: number, change: Fields | ((record: Fields) => Fields)): Distort {
  return value((content) => {
    const record = (Array.isArray(content) ? content.at(row) : content) as Fields;
    Object.assign(record, typeof change === 'function' ? change(record) : change);
    return content;
  });
}

/** The same change of fields in every row. */
export function everyRow(change: (record: Fields, row: number) => Fields): Distort {
  return rows((list) => list.map((each, row) => ({ ...each, ...change(each, row) })));
}

/** Another value of a header: none where undefined, several for a list. */
export function header(name: string, value: string | readonly string[] | undefined): Distort {
  return (exchange) => {
    const { response } = exchange;
    if (!response) return exchange;
    const values = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    const others = response.headers.filter(([each]) => each.toLowerCase() !== name);
    const headers = [...others, ...values.map((each): HeaderLine => [name, each])];
    return { ...exchange, response: { ...response, headers } };
  };
}

/** A number in a header, moved. */
export function count(name: string, change: (value: number) => number): Distort {
  return (exchange) => {
    const [reported] = headerValues(exchange.response?.headers ?? [], name);
    return header(name, String(change(Number(reported))))(exchange);
  };
}

export function status(code: number): Distort {
  return (exchange) => ({
    ...exchange,
    ...(exchange.response && { response: { ...exchange.response, status: code } }),
  });
}

/** No answer came. */
export function failure(kind: 'timeout' | 'reset' | 'unreachable' | 'certificate'): Distort {
  return ({ response: _, ...exchange }) => ({
    ...exchange,
    failure: { phase: 'connect', kind, message: `it was ${kind}` },
  });
}

/** The answer broke off after it had begun. */
export const brokenOff: Distort = (exchange) => ({
  ...exchange,
  failure: { phase: 'receive', kind: 'truncated', message: 'it broke off' },
});

/** As another tool recorded it, which left something out, or took the answer from a cache. */
export function logged(facts: Omit<RecorderFacts, 'place'> = {}): Distort {
  return (exchange) => ({ ...exchange, recorder: { place: 'log.entries[0]', ...facts } });
}

/** A recording that does not hold the body. */
export const bodiless: Distort = ({ response, ...exchange }) => {
  if (!response) return exchange;
  const { body: _, ...rest } = response;
  return { ...exchange, response: rest };
};

/** Several at once, from left to right. */
export function all(...each: readonly Distort[]): Distort {
  return (exchange) => each.reduce((changed, damage) => damage(changed), exchange);
}
