import { findMember, type RowShape, type RowStep, unfoldRows } from '@candleproof/document/layout/layout';
import { operationById } from '@candleproof/document/spec/operation';
import { escapePointer } from '@candleproof/document/spec/place';
import type { Operation, PoolId, Spec } from '@candleproof/document/spec/spec';
import { findCalendar, moveRange } from './calendar.ts';
import { type Candle, type Reading, sortByTime } from './candle.ts';
import type { Body } from './exchange.ts';
import { readAnyTime, readCandles } from './read-candles.ts';
import type { Requested } from './requested.ts';
import { type Departure, describeDeparture, listDepartures, listErrors, validationContext } from './shape.ts';
import type { parseStrictly } from './strict-json.ts';
import { describe, quoteValue } from './words.ts';

/** A departure from the schema at its place in the answer; the last one kept represents all that follow. */
export type Misshapen = Departure & {
  readonly pointer: string;
  readonly row?: number;
  readonly times?: number;
};

/** Limits how many departures of one kind in one field are kept per answer: more add nothing but memory. */
const maxAlike = 1000;

/** The content of a success, read from its body. */
export type AnswerContent = {
  /** The reason why a success is not one JSON value. */
  readonly broken?: string;
  /** Undefined unless it is a success in strict JSON that the recording holds. */
  readonly value?: unknown;
  /** The answer says how its next page is requested. */
  readonly hasNextPage?: true;
  /** The refusal that a 200 is by its members. */
  readonly refusal?: BodyRefusal;
  readonly misshapen: readonly Misshapen[];
  /** JSON pointer to the records: their list, or the single one; empty if that is the body itself. */
  readonly rowsAt: string;
  /** The records are a list. */
  readonly isList: boolean;
  /** Returns the JSON pointer to a field of a record that is not simply below it. */
  readonly fieldPointer?: (row: number, field: string) => string;
  /** The answer's records: tokens or candles; one if the answer is a single record. */
  readonly records: readonly unknown[];
  /** Empty for tokens. */
  readonly candles: readonly Candle[];
  /** The candles sorted by start; those without a readable start are omitted. */
  readonly inTime: readonly Candle[];
  /** Rows with an unreadable start or price; 0 for tokens. */
  readonly unreadable: number;
};

/** The text of a refusal in the body of a 200, and the status that it counts as. */
type BodyRefusal = { readonly status: number; readonly text: string };

/** A refusal that names no status counts as a request that was read and refused. */
const usualRefusal = 400;

/** Returns the refusal that an answer's members with the role `status` report, if any. */
function findRefusal({ statuses }: Operation, value: unknown): BodyRefusal | undefined {
  const refusing = statuses.flatMap(({ at, ok }) => {
    const found = findMember(value, at);
    const isServed = Array.isArray(found) ? found.length === 0 : String(found) === String(ok);
    return found === undefined || isServed ? [] : [{ at, found }];
  });
  const [first] = refusing;
  if (!first) return undefined;
  const codes = refusing.map(({ found }) => Number(found)).filter((status) => status >= 400 && status <= 599);
  const text = `status 200 with ${first.at.join('.')} ${quoteValue(first.found)}`;
  return { status: codes.find(Number.isInteger) ?? usualRefusal, text };
}

/** Reports a single record that has none of its fields: something else is around it, rather than fields missing. */
function findWrapping({ answersList, recordFields }: Operation, value: unknown): Departure[] {
  if (answersList || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (recordFields.some((recordField) => recordField in value)) return [];
  const expected = `an object with ${recordFields.slice(0, 3).join(', ')}, …`;
  return [{ keyword: 'required', field: '', within: '', expected, actual: describe(value) }];
}

/** The content of an answer that is not judged as a success. */
export const noContent: AnswerContent = {
  misshapen: [],
  records: [],
  rowsAt: '',
  isList: false,
  candles: [],
  inTime: [],
  unreadable: 0,
};

/** Reads the body of a success to an operation, at `now` in Unix seconds. */
export function readBody(
  spec: Spec,
  requested: Requested,
  body: Body,
  parse: typeof parseStrictly,
  now: number,
): AnswerContent {
  // Clients drop a byte order mark as they decode UTF-8; our document promises JSON without one.
  const text = spec.isOurs ? body.text : body.text.replace(/^\uFEFF/, '');
  const parsed = body.encoding === 'utf8' ? parse(text) : { broken: 'the body is not UTF-8 text' };
  if ('broken' in parsed) return { ...noContent, broken: parsed.broken };
  const operation = operationById(spec, requested.operation);
  const { acceptsShape, answersList: isList, rowsAt } = operation;
  const { value } = parsed;
  const refusal = findRefusal(operation, value);
  if (refusal) return { ...noContent, refusal };
  const path = resolveSteps(value, rowsAt, requested.pool);
  const inner = findMember(value, path) ?? (operation.empty === 'absent' ? [] : undefined);
  const shape = [...listDepartures(acceptsShape, value), ...findWrapping(operation, inner)];
  const unfolded = shape.length > 0 ? undefined : unfoldRows(inner, completeLayout(operation));
  if (isList && shape.length === 0 && !unfolded) shape.push(missingRows(path, inner));
  if (shape.length > 0)
    return { ...noContent, value, misshapen: shape.map((departure) => ({ ...departure, pointer: '' })) };
  const { records, raw, pointer } = unfolded ?? { records: [inner], raw: [inner], pointer: undefined };
  const rowsPointer = path.map((key) => `/${escapePointer(key)}`).join('');
  const place = {
    ...{ rowsAt: rowsPointer, isList },
    ...(operation.layout &&
      pointer && { fieldPointer: (row: number, field: string) => `${rowsPointer}${pointer(row, field)}` }),
  };
  const misshapen = listMisshapen(raw, operation, place);
  const reading = makeReading(operation, requested.length ?? 0, records[0], now);
  const { candles: all, unreadable } =
    requested.role === 'tokens' ? noContent : readCandles(records, reading);
  const meant = moveRange(requested, reading.calendar);
  const candles = takesFrom(operation) ? all : dropEarlierRows(all, meant);
  const next = operation.nextPage && findMember(value, operation.nextPage);
  const hasNextPage = next !== undefined && next !== null && next !== '';
  return {
    ...{ value, misshapen, records, ...place },
    ...{ candles, inTime: sortByTime(candles), unreadable },
    ...(hasNextPage && { hasNextPage }),
  };
}

function completeLayout({ layout, answersList }: Operation): RowShape {
  return { rowsAt: [], ...(layout ?? { form: answersList ? 'rows' : 'single' }) };
}

function makeReading(operation: Operation, length: number, row: unknown, now: number): Reading {
  const reading = { ...operation, length };
  const calendar = operation.zone && findCalendar(operation.zone, length, readAnyTime(reading, row), now);
  return calendar ? { ...reading, calendar } : reading;
}

/** Returns the members that lead to the records; a key that is data is the pool's name or the only one left. */
function resolveSteps(value: unknown, steps: readonly RowStep[], pool: PoolId | undefined): string[] {
  const path: string[] = [];
  for (const step of steps) {
    const inner = typeof step === 'string' ? undefined : findMember(value, path);
    path.push(typeof step === 'string' ? step : findKey(inner, step.beside, String(pool)));
  }
  return path;
}

function findKey(inner: unknown, beside: readonly string[], pool: string): string {
  const keys = Object.keys(inner ?? {}).filter((key) => !beside.includes(key));
  return keys.length === 1 && keys[0] !== undefined ? keys[0] : pool;
}

/** Words the departure of an envelope that lacks its list, which its schema need not require. */
function missingRows(path: readonly string[], inner: unknown): Departure {
  return {
    keyword: 'type',
    field: '',
    within: '',
    expected: `a list at ${path.join('.')}`,
    actual: describe(inner),
  };
}

function takesFrom({ parameters, role }: Operation): boolean {
  return role !== 'history' || parameters.some((parameter) => parameter.role === 'from');
}

/** Drops rows from before the intended range, which come if idle intervals are omitted: they are not judged. */
function dropEarlierRows(candles: readonly Candle[], { from = 0 }: Requested): readonly Candle[] {
  return candles.filter((candle) => !(candle.start < from));
}

/** Lists all departures of the records, row by row. */
function listMisshapen(
  records: readonly unknown[],
  { acceptsRecord }: Operation,
  { rowsAt, isList, fieldPointer }: Pick<AnswerContent, 'rowsAt' | 'isList' | 'fieldPointer'>,
): Misshapen[] {
  const all: Misshapen[] = [];
  const alike = new Map<string, { kept: number; last: Misshapen & { times?: number } }>();
  const context = validationContext();
  for (let row = 0; row < records.length; row++) {
    for (const error of listErrors(acceptsRecord, records[row], context)) {
      const kind = `${error.schemaPath} ${error.params.missingProperty ?? ''}`;
      const known = alike.get(kind);
      if (known && known.kept >= maxAlike) {
        known.last.times = (known.last.times ?? 1) + 1;
        continue;
      }
      const departure = describeDeparture(error, records[row]);
      const base = isList ? `${rowsAt}/${row}` : rowsAt;
      const { field, within } = departure;
      const pointer = field === '' ? base : (fieldPointer?.(row, field) ?? `${base}${within}`);
      const last = { ...departure, row, pointer };
      all.push(last);
      alike.set(kind, { kept: (known?.kept ?? 0) + 1, last });
    }
  }
  return all;
}
