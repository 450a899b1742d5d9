import { listPlainValues } from '@candleproof/document/layout/find-layout';
import { inferFurther } from '@candleproof/document/layout/infer-further';
import { inferPlaces, type RolePlaces } from '@candleproof/document/layout/infer-places';
import { findMember, type RowShape, unfoldRows } from '@candleproof/document/layout/layout';
import { findByName, type ValueName } from '@candleproof/document/layout/name-places';
import { parseNumber } from '@candleproof/document/layout/written-numbers';
import { guessUnit, parseTime, type TableUnit } from '@candleproof/document/layout/written-times';
import { type DraftSchema, listTypes, wrapRows } from './draft-envelope.ts';
import { type DraftField, describeRows, nameUnreadableForm } from './draft-rows.ts';
import { isOffset } from './local-times.ts';
import { documentUnit } from './written-units.ts';

/** The schema of an answer, and what of it could not be said. */
export type DraftAnswer = {
  readonly schema: DraftSchema;
  /** The rows, oldest first. */
  readonly rows: readonly DraftRow[];
  readonly remarks: readonly string[];
  /** The texts of the rows' times, oldest first, and the name of their value. */
  readonly times: { readonly name: string; readonly texts: readonly string[] };
  /** Seconds by which a second text of the same times is ahead of them; undefined if there is none. */
  readonly ahead?: number;
  /** Values of a row that have no role. */
  readonly unknown: readonly string[];
};

/** A row of an answer: its time in Unix seconds, its extremes and its volume. */
export type DraftRow = {
  readonly start: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
};

/** Rows that show the types of values. */
const sampled = 200;

/** Roles of documents by those of names. An unnamed average weighs trades by their volume. */
const documentRoles: Readonly<Record<string, string>> = { time: 'start', date: 'start', average: 'vwap' };

/** Describes an answer whose rows lie as given. `pool` is the pool that was requested. */
export function draftAnswer(
  body: unknown,
  layout: RowShape,
  pool: string | undefined,
): DraftAnswer | undefined {
  const rowsAt = layout.rowsAt as string[];
  const records = unfoldRows(findMember(body, rowsAt), layout)?.records ?? [];
  const fields = findFields(records, layout, pool);
  if (fields === undefined) return undefined;
  const times = readTimes(records, fields);
  const { texts } = times;
  const rows = readRows(records, fields, times);
  const ahead = findAhead(records, fields, times);
  const unreadable = nameUnreadableForm(layout);
  const isNewestFirst = parseTime(texts[0] ?? '', times.unit) > (rows[0]?.start ?? 0);
  return {
    schema: wrapRows(body, rowsAt, pool, describeRows(fields, layout, records[0])),
    rows,
    times: { name: times.at.join('.'), texts: isNewestFirst ? texts.toReversed() : texts },
    ...(ahead !== undefined && { ahead }),
    remarks: [
      ...(unreadable === undefined ? [] : [unreadable]),
      ...(documentUnit(texts) === undefined ? [describeForm(texts[0] ?? '', texts)] : []),
    ],
    unknown: fields.filter(({ tags }) => tags['x-role'] === undefined).map(({ at }) => at.join('.')),
  };
}

/** Finds a text without a role that is as much ahead of the time in each row, as that of a local clock is. */
function findAhead(
  records: readonly unknown[],
  fields: readonly DraftField[],
  { texts, unit }: RowTimes,
): number | undefined {
  for (const { at, tags } of fields) {
    const others = records.map((record) => String(findMember(record, at) ?? ''));
    if (tags['x-role'] !== undefined || others.length < 2 || !others.every((text) => /\d:\d\d/.test(text)))
      continue;
    const ahead = others.map((text, row) => parseTime(text, 'iso') - parseTime(texts[row] ?? '', unit));
    const [first = Number.NaN] = ahead;
    if (isOffset(first) && ahead.every((each) => each === first)) return first;
  }
  return undefined;
}

/** Words the question about times that no document can say. */
function describeForm(text: string, texts: readonly string[]): string {
  return guessUnit(texts) === undefined
    ? `x-unit of the start: ${JSON.stringify(text)} may have the day or the month first; write x-unit: dmy or mdy`
    : `x-unit of the start: a document cannot say the form of ${JSON.stringify(text)}; adapt the API by a proxy`;
}

/** Reads the rows of a further answer that lie as those of the first did; none if they do not. */
export function readFurther(body: unknown, layout: RowShape): readonly DraftRow[] {
  const records = unfoldRows(findMember(body, layout.rowsAt as string[]), layout)?.records ?? [];
  const fields = (records.length > 0 && findFields(records, layout)) || [];
  return readRows(records, fields, readTimes(records, fields));
}

/** The texts of rows' times, in the order of the answer, with the place and the unit of their value. */
type RowTimes = { readonly at: ValueName; readonly texts: readonly string[]; readonly unit: TableUnit };

function readTimes(records: readonly unknown[], fields: readonly DraftField[]): RowTimes {
  const at = findRole(fields, 'start') ?? findRole(fields, 'end') ?? [];
  const texts = records.map((record) => String(findMember(record, at) ?? ''));
  return { at, texts, unit: guessUnit(texts) ?? 'iso' };
}

function findRole(fields: readonly DraftField[], role: string): ValueName | undefined {
  return fields.find(({ tags }) => tags['x-role'] === role)?.at;
}

function readRows(
  records: readonly unknown[],
  fields: readonly DraftField[],
  { texts, unit }: RowTimes,
): DraftRow[] {
  const number = (record: unknown, role: string): number => {
    const at = findRole(fields, role);
    return at ? parseNumber(String(findMember(record, at) ?? '')) : Number.NaN;
  };
  return records
    .map((record, index) => ({
      start: parseTime(texts[index] ?? '', unit),
      high: number(record, 'high'),
      low: number(record, 'low'),
      volume: number(record, 'volume'),
    }))
    .filter(({ start }) => !Number.isNaN(start))
    .sort((one, other) => one.start - other.start);
}

function findFields(records: readonly unknown[], { key }: RowShape, pool?: string): DraftField[] | undefined {
  const first = records[0];
  const isTuple = Array.isArray(first);
  const sample = records.slice(0, sampled);
  const names: ValueName[] = isTuple ? first.map((_, at) => [String(at)]) : listPlainValues(first);
  const text = (record: unknown, at: ValueName): string => String(findMember(record, at) ?? '');
  const texts = (at: number): string[] => sample.map((record) => text(record, names[at] ?? []));
  const places: RolePlaces | undefined = isTuple
    ? placeUnnamed(names.map((_, at) => texts(at)))
    : findByName(names, texts);
  if (!places) return undefined;
  const roles = new Map(Object.entries(places).map(([role, at]) => [at, documentRoles[role] ?? role]));
  return names.map((at, index): DraftField => {
    const isPool = pool !== undefined && texts(index).every((each) => each === pool);
    const role = roles.get(index) ?? (isPool ? 'pool' : undefined);
    const isTime = role === 'start' || role === 'end';
    const unit = isTime ? (documentUnit(texts(index)) ?? 'iso') : 's';
    const tags = {
      ...(role !== undefined && { 'x-role': role }),
      ...(unit !== 's' && { 'x-unit': unit }),
    };
    return {
      at,
      tags,
      type: at[0] === key ? 'string' : listTypes(sample.map((record) => findMember(record, at))),
    };
  });
}

/** Places the roles of values without names; the first of two orders if both fit. */
function placeUnnamed(columns: readonly (readonly string[])[]): RolePlaces | undefined {
  const rows = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row] ?? ''));
  const [places] = inferPlaces(rows);
  if (!places) return undefined;
  const times = columns[places.time ?? 0] ?? [];
  const isNewestFirst = Number(times[0]) > Number(times.at(-1)) || (times[0] ?? '') > (times.at(-1) ?? '');
  return inferFurther(isNewestFirst ? columns.map((column) => column.toReversed()) : columns, places);
}
