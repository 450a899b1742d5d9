import { areTimes } from './infer-places.ts';
import { findMember, type RowShape } from './layout.ts';
import { findByName, type ValueName } from './name-places.ts';

/** Levels at which rows are searched, and members of one level that are looked at. */
const deepest = 9;
const mostMembers = 200;

/** Elements of a list or an object that show whether it holds rows. */
const sampled = 32;

const prices = ['open', 'high', 'low', 'close'] as const;

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds where rows lie in a body that is not a plain list of them: columns, rows keyed by their time, rows whose names
 * lie apart. Returns undefined if it has none.
 */
export function findLayout(body: unknown): RowShape | undefined {
  const columns = isObject(body) ? findColumns(body) : undefined;
  return columns ?? search(body, [], 0);
}

function search(value: unknown, rowsAt: readonly string[], depth: number): RowShape | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  const found = isObject(value)
    ? (findNamed(value, rowsAt) ?? findKeyed(value, rowsAt) ?? findColumnsByKey(value, rowsAt))
    : findRows(value, rowsAt);
  if (found) return found;
  for (const [name, inner] of Object.entries(value).slice(0, mostMembers)) {
    const below = search(inner, [...rowsAt, name], depth + 1);
    if (below) return below;
  }
  return undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists the members that lead to each list of plain values, through objects and lists of one. */
function listColumns(value: unknown, at: ValueName = []): ValueName[] {
  if (at.length > deepest || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    if (value.length === 1 && typeof value[0] === 'object' && value[0] !== null)
      return listColumns(value[0], [...at, '0']);
    return value.length > 0 && value.slice(0, sampled).every(isPlain) ? [at] : [];
  }
  return Object.entries(value)
    .slice(0, mostMembers)
    .flatMap(([name, inner]) => listColumns(inner, [...at, name]));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

/** Gives each value a name of its own: its last member, or all of them where the last is not the only one. */
export function nameFields(names: readonly ValueName[]): Readonly<Record<string, ValueName>> {
  const lasts = names.map((name) => name.findLast((step) => !/^\d+$/.test(step)) ?? '');
  return Object.fromEntries(
    names.map((name, at) => {
      const last = lasts[at] ?? '';
      return [lasts.indexOf(last) === lasts.lastIndexOf(last) ? last : name.join('.'), name];
    }),
  );
}

/** Finds lists of values of one length for a time and all prices. */
function findColumns(body: Members): RowShape | undefined {
  const names = listColumns(body);
  const lists = names.map((name) => findMember(body, name) as readonly unknown[]);
  const places = findByName(names, (at) => sampleTexts(lists[at] ?? []));
  const needed = [places.time ?? places.date, ...prices.map((role) => places[role])];
  const lengths = needed.map((at) => (at === undefined ? -1 : (lists[at]?.length ?? -1)));
  const [length = -1] = lengths;
  if (length < 1 || lengths.some((other) => other !== length)) return undefined;
  const alike = names.filter((_, at) => lists[at]?.length === length);
  return { rowsAt: [], form: 'columns', nested: nameFields(alike) };
}

/** Returns the names and lengths of two columns that belong together and differ in length; undefined for none. */
export function findUnequalColumns(
  body: unknown,
): readonly (readonly [name: string, length: number])[] | undefined {
  const names = listColumns(body);
  const lists = names.map((name) => findMember(body, name) as readonly unknown[]);
  const places = findByName(names, (at) => sampleTexts(lists[at] ?? []));
  const needed = [places.time ?? places.date, ...prices.map((role) => places[role])];
  if (needed.includes(undefined)) return undefined;
  const sizes = needed.map((at = 0) => [names[at]?.join('.') ?? '', lists[at]?.length ?? 0] as const);
  const other = sizes.find(([, length]) => length !== sizes[0]?.[1]);
  return other && sizes[0] && [sizes[0], other];
}

function sampleTexts(values: readonly unknown[]): string[] {
  return values
    .slice(0, sampled)
    .map((value) => (value === null || value === undefined ? '' : String(value)));
}

/** Finds a list of names and a list of rows beside it, with an index in a third one. */
function findNamed(value: Members, rowsAt: readonly string[]): RowShape | undefined {
  const entries = Object.entries(value).slice(0, mostMembers);
  for (const [namesAt, names] of entries) {
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) continue;
    const list = entries.find(([, rows]) => isTable(rows, names.length));
    if (!list || !hasPrices(names.map((name) => [name]))) continue;
    const [listAt, rows] = list as [string, readonly (readonly unknown[])[]];
    const column = (at: number): string[] => sampleTexts(rows.slice(0, sampled).map((row) => row[at]));
    const { time, date } = findByName(
      names.map((name) => [name]),
      column,
    );
    const index = entries.find(
      ([name, times]) =>
        name !== namesAt &&
        Array.isArray(times) &&
        times.length === rows.length &&
        areTimes(sampleTexts(times)),
    );
    if (time !== undefined || date !== undefined) return { rowsAt, form: 'named', namesAt, listAt };
    if (index) return { rowsAt, form: 'named', namesAt, listAt, indexAt: index[0], key: freeName(names) };
  }
  return undefined;
}

function isTable(rows: unknown, width: number): boolean {
  return (
    Array.isArray(rows) && rows.length > 0 && rows.every((row) => Array.isArray(row) && row.length === width)
  );
}

function freeName(names: readonly string[]): string {
  return ['time', 'key', '(key)'].find((name) => !names.includes(name)) ?? '(time)';
}

function hasPrices(names: readonly ValueName[]): boolean {
  const places = findByName(names);
  return prices.every((role) => places[role] !== undefined);
}

/** Finds records whose keys are their times. */
function findKeyed(value: Members, rowsAt: readonly string[]): RowShape | undefined {
  const keys = Object.keys(value);
  const [first] = Object.values(value);
  if (!isObject(first) || !areTimes(keys.slice(0, sampled)) || !hasPrices(listPlainValues(first)))
    return undefined;
  return { rowsAt, form: 'keyed', key: freeName(Object.keys(first)) };
}

/** Finds, for each price, an object of values by their time. */
function findColumnsByKey(value: Members, rowsAt: readonly string[]): RowShape | undefined {
  const columns = Object.entries(value)
    .slice(0, mostMembers)
    .filter(([, inner]) => isObject(inner));
  const names = columns.map(([name]) => [name]);
  if (!hasPrices(names)) return undefined;
  const keys = Object.keys((columns[0]?.[1] ?? {}) as Members);
  const nested = Object.fromEntries(columns.map(([name]) => [name, [name]]));
  const form = 'columns-by-key';
  if (areTimes(keys.slice(0, sampled))) return { rowsAt, form, nested, key: freeName(Object.keys(nested)) };
  // Keys may also be numbers of rows, if a column has the times.
  const texts = (at: number): string[] => sampleTexts(Object.values(columns[at]?.[1] as Members));
  const { time, date } = findByName(names, texts);
  return time === undefined && date === undefined ? undefined : { rowsAt, form, nested, key: '(row)' };
}

/** Lists the members that lead to each plain value of a record. */
export function listPlainValues(value: unknown, at: ValueName = []): ValueName[] {
  if (!isObject(value) || at.length > 2) return at.length > 0 ? [at] : [];
  return Object.entries(value).flatMap(([name, inner]) => listPlainValues(inner, [...at, name]));
}

function findRows(value: object, rowsAt: readonly string[]): RowShape | undefined {
  const [first] = value as readonly unknown[];
  return isRecord(first) ? { rowsAt, form: 'rows' } : undefined;
}

/** Fewest values of a row without names: a time and four prices. */
const fewestCells = 5;

/** Returns whether an element of a list is a row of candles, by the names of its values or by their number. */
export function isRecord(element: unknown): boolean {
  if (!Array.isArray(element)) return isObject(element) && isNamedRecord(element);
  const isFlat = element.length >= fewestCells && element.every(isPlain);
  return isFlat && element.some((value) => areTimes([String(value ?? '')]));
}

function isNamedRecord(element: Members): boolean {
  // Values by the number of their row are those of a column.
  if (Object.values(element).some((inner) => isObject(inner) && '0' in inner && '1' in inner)) return false;
  const names = listPlainValues(element);
  const { time, date, ...places } = findByName(names, (at) =>
    sampleTexts([findMember(element, names[at] ?? [])]),
  );
  const when = names[time ?? date ?? -1];
  return (
    when !== undefined &&
    isPlain(findMember(element, when)) &&
    prices.every((role) => {
      const name = names[places[role] ?? -1];
      return name !== undefined && isPlain(findMember(element, name));
    })
  );
}
