import type { CandleRole } from '@candleproof/document/spec/roles';
import type { OperationId } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import type { Requested } from '../reading/requested.ts';
import { quoteValue } from '../reading/words.ts';

/**
 * The kind of a gap. `contradicted`: other candles hold their observations. `consistent`: nothing else holds any, so
 * no one may have observed them. `at the end`: the pool has no row after them either.
 */
export type MissingKind = 'contradicted' | 'consistent' | 'at the end';

/** A candle as a report draws it; prices as the target gave them, times in Unix seconds. */
export type DrawnCandle = Pick<Candle, 'start' | 'end' | 'open' | 'high' | 'low' | 'close'> & {
  /** Absent if the row has no readable average. */
  readonly avg?: number;
  /** The amount that the finding is about, such as a volume; absent if it is about prices or times. */
  readonly amount?: number;
  /** Its address in reports, if it is of another series than the candle in question. */
  readonly address?: string;
  /** This is the candle that the finding is about; the others are its neighbours. */
  readonly offending: boolean;
};

/** From its start to its end, in Unix seconds. */
export type MissingSlot = { readonly start: number; readonly end: number };

/** The use of a quota as an answer shows it, beside the use that the requests before it make. */
export type QuotaUse = { readonly exchange: number; readonly expected: number; readonly actual: number };

/** Evidence that a report draws besides the candles of an answer. */
export type Picture = {
  /** Intervals whose candle this answer lacks, at most 26. */
  readonly missing?: readonly MissingSlot[];
  /** All that this answer spans, in Unix seconds, and its gaps; left out if there are more than 200. */
  readonly strip?: MissingSlot & { readonly length: number; readonly gaps: readonly MissingSlot[] };
  /** The series that it is compared with, at the same time; names of both. */
  readonly other?: {
    readonly name: string;
    readonly own: string;
    /** The address of its first candle. */
    readonly address?: string;
    readonly candles: readonly DrawnCandle[];
  };
  readonly counts?: readonly QuotaUse[];
  /** Readings of clocks that contradict each other, in Unix seconds. */
  readonly instants?: readonly { readonly name: string; readonly at: number }[];
};

/** One place where a rule is broken. */
export type Breach = {
  readonly answer: Answer;
  /** JSON pointer into the body, `header:name` or `status`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The candles concerned, for a report to draw. */
  readonly candles?: readonly Candle[];
  /** Evidence to draw besides them; `other` are candles of another answer. */
  readonly picture?: Omit<Picture, 'other'> & {
    readonly other?: { readonly name: string; readonly own: string; readonly candles: readonly Candle[] };
  };
  /** Number of rows of the same answer that it represents, including its own; default: 1. */
  readonly times?: number;
  /** The kind of breach, if a rule distinguishes several, and a sentence for it. */
  readonly kind?: MissingKind;
  readonly sentence?: string;
};

/** The expected value, and the actual one unless it is simply the field that the rule is about. */
export type FoundValues =
  | string
  | { readonly expected: string; readonly actual?: string; readonly field?: CandleRole };

/** Makes a breach at one field of one candle; a report draws `candles`, by default this one alone. */
export function candleBreach(
  answer: Answer,
  candle: Candle,
  role: CandleRole,
  found: FoundValues,
  candles?: readonly Candle[],
): Breach {
  const { expected, field = role, ...others } = typeof found === 'string' ? { expected: found } : found;
  const name = candle.reading.fields[field] ?? field;
  return { ...fieldBreach(answer, candle, name, expected, candles), ...others };
}

/** Makes a breach at a field by its document name, since undocumented fields may differ too. */
export function fieldBreach(
  answer: Answer,
  candle: Candle,
  name: string,
  expected: string,
  candles: readonly Candle[] = [candle],
): Breach {
  const pointer = answer.fieldPointer?.(candle.row, name) ?? `${rowPointer(answer, candle.row)}/${name}`;
  return { answer, pointer, expected, actual: quoteValue(candle.record[name]), candles };
}

/** Returns the JSON pointer to a record within its answer. */
export function rowPointer({ rowsAt, isList }: Answer, row: number): string {
  return isList ? `${rowsAt}/${row}` : rowsAt;
}

/** Returns the position of the record that a breach lies in; undefined if it concerns the answer as a whole. */
export function findRow({ answer, pointer }: Pick<Breach, 'answer' | 'pointer'>): number | undefined {
  const { rowsAt, isList, records } = answer;
  if (!pointer.startsWith(`${rowsAt}/`) || records.length === 0) return undefined;
  if (!isList) return 0;
  const steps = pointer.slice(rowsAt.length + 1).split('/');
  // Rows lie in columns, at the end of the pointer, or below their key.
  if (hasColumns(answer)) return Number(steps.at(-1));
  const [key = ''] = steps;
  return /^\d*$/.test(key) ? Number(key) : (rowsByStep(answer).get(key) ?? -1);
}

/** Returns whether the rows of an answer lie in columns, so that pointers end with the row. */
function hasColumns({ fieldPointer }: Answer): boolean {
  return fieldPointer?.(0, '').endsWith('/0') === true;
}

/** Finds the first row of an answer whose pointer has a step: thousands of breaches may lie in one answer. */
const rowsByStep = oncePer(({ records, fieldPointer }: Answer): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>();
  for (const row of records.keys())
    for (const step of fieldPointer?.(row, '').split('/') ?? []) if (!rows.has(step)) rows.set(step, row);
  return rows;
});

/**
 * Names the place of a breach in any row, by a star: that of `/12/avg` is that of `/13/avg`, and so with rows in columns or below
 * their time; `/12/1` and `/12/2` of a tuple are not the same.
 */
export function namePlace({ answer, pointer }: Pick<Breach, 'answer' | 'pointer'>): string {
  if (!pointer.startsWith('/')) return pointer;
  const { rowsAt } = answer;
  if (findRow({ answer, pointer }) === undefined || !answer.isList)
    return pointer.replace(/\/\d+(?=\/|$)/, '/*');
  const steps = pointer.slice(rowsAt.length + 1).split('/');
  return [rowsAt, ...steps.with(hasColumns(answer) ? -1 : 0, '*')].join('/');
}

/** The series that an answer holds candles of. */
type Series = Pick<Requested, 'operation' | 'pool' | 'interval' | 'inverted'>;

/**
 * Returns the address of a candle in every report and page: `listCandles-c-1-1h-1762905600`, with `-i` behind it if
 * it is inverted. It is the id of an element too, so every other character of a name is written as its code, as in `BTC_2f_EUR`.
 */
export function candleAddress(
  { operation, pool = '', interval = '', inverted = false }: Series,
  start: number,
): string {
  // Only a pool may keep its hyphens: the other parts have none, and so none is mistaken for another.
  const parts = [
    writeName(operation),
    'c',
    writeName(String(pool), /[^A-Za-z0-9-]/gu),
    writeName(interval),
    start,
  ];
  return `${parts.join('-')}${inverted ? '-i' : ''}`;
}

/** Returns the address of the candle of the same series that begins at another time. */
export function moveAddress(address: string, start: number): string {
  return address.replace(/-(?:\d+|-\d+)(?=(?:-i)?$)/, `-${start}`);
}

function writeName(name: string, others = /[^A-Za-z0-9]/gu): string {
  return name.replace(others, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}

/** Returns what is stable of a finding over runs: rule, operation and normalised pointer. */
export function fingerprint(rule: string, breach: Breach): string {
  return `${rule} ${findOperation(breach)} ${namePlace(breach)}`;
}

/** Exchanges of no operation of ours are never judged by a rule that finds something. */
export function findOperation({ answer }: Breach): OperationId {
  return answer.requested?.operation ?? '';
}
