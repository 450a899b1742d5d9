import { candleRoles } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import { headerValues } from '../reading/exchange.ts';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import { wordBeginning } from '../reading/words.ts';

/** Words for a fact of an answer or a row; what nobody would look for has none. */
export type UnitFacts = Readonly<Record<string, string>>;

/** Longest value of a header that is repeated in a sentence. */
const longestValue = 60;

/** Lists the facts of an answer. */
export function listAnswerFacts(answer: Answer, spec: Spec): UnitFacts {
  const { requested, exchange } = answer;
  const { interval, inverted, pool, operation } = requested ?? {};
  return {
    operation: operation === undefined ? '' : `only of ${operation}`,
    interval: interval === undefined ? '' : `only of ${interval}`,
    inverted: inverted === undefined ? '' : inverted ? 'only inverted' : 'only with inverted=false',
    pool: pool === undefined ? '' : `only of pool ${pool}`,
    status: wordStatus(answer),
    key: exchange.request.credential === 'none' ? 'only without a key' : '',
    ...listMannerFacts(answer, spec),
  };
}

function wordStatus({ success, status, requested }: Answer): string {
  if (status === 304) return 'only with status 304';
  return success || status === undefined || requested === undefined ? '' : 'only on errors';
}

/** Lists the facts in which requests that mean the same differ. */
export function listMannerFacts(
  { requested, exchange: { request, connection } }: Answer,
  spec: Spec,
): UnitFacts {
  const pairs = [...(URL.parse(request.url)?.searchParams.keys() ?? [])];
  const declared = spec.operations.find(({ id }) => id === requested?.operation)?.parameters ?? [];
  const places = pairs.map((name) => declared.findIndex((parameter) => parameter.name === name));
  return {
    coding: wordHeader(request.headers, 'Accept-Encoding'),
    agent: [
      wordHeader(request.headers, 'User-Agent'),
      ...headerValues(request.headers, 'accept-language'),
    ].join(' that prefers '),
    connection: connection && !connection.reused ? 'only on new connections' : '',
    order: places.some((place, at) => place < (places[at - 1] ?? 0)) ? 'only with reordered parameters' : '',
  };
}

function wordHeader(headers: Answer['exchange']['request']['headers'], name: string): string {
  const value = headerValues(headers, name).join(', ');
  if (value === '') return `only without ${name}`;
  return `only with ${name}: ${value.length > longestValue ? `${value.slice(0, longestValue)}…` : value}`;
}

/** Lists the facts of a candle, but for fields that a finding is about. */
export function listRowFacts(candle: Candle, named: ReadonlySet<string>): UnitFacts {
  const { record, reading } = candle;
  const role = (name: string): string | undefined =>
    candleRoles.find((known) => reading.fields[known] === name);
  return {
    ...listTimeFacts(candle),
    ...listRecordFacts(record, named, (name) => (/^\d+$/.test(name) ? (role(name) ?? name) : name)),
  };
}

/** Each finding of an answer looks at the same rows. */
const listTimeFacts = oncePer(
  ({ start }: Candle): UnitFacts => ({
    ...wordBeginning(start),
    day: new Date(start * 1000).getUTCDate() === 1 ? 'each on the first of a month' : '',
  }),
);

/** Lists the fields that hold nothing, a zero or a flag, but for those that a finding is about. */
export function listRecordFacts(
  record: Candle['record'],
  named: ReadonlySet<string>,
  word = (name: string): string => name,
): UnitFacts {
  const facts: Record<string, string> = {};
  for (const [name, value] of listPlain(record))
    if (!named.has(name)) facts[name] = `where ${word(name)} is ${value}`;
  return facts;
}

/** Lists the fields of a record that hold nothing, a zero or a flag, with its word. */
const listPlain = oncePer((record: Candle['record']): readonly (readonly [name: string, value: string])[] =>
  Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'boolean' || value === null) return [[name, String(value)]];
    const isNothing = (typeof value === 'string' || typeof value === 'number') && Number(value) === 0;
    return isNothing ? [[name, value === '' ? 'empty' : '0']] : [];
  }),
);
