import { inferBothSets, inferPlaces, type RolePlaces } from '@candleproof/document/layout/infer-places';
import { findByName, type ValueName } from '@candleproof/document/layout/name-places';
import { isUsual, type PriceOrder } from '@candleproof/document/layout/price-order';
import { bareName, findNamed, symbolName } from '@candleproof/document/layout/role-names';
import { UnclearForm, UnreadableTable } from './unreadable-table.ts';

/** The meanings of columns. `date` and time of day can be separate columns. */
export const columnRoles = [
  ...(['time', 'date', 'open', 'high', 'low', 'close', 'average', 'volume'] as const),
  ...(['quote-volume', 'trades'] as const),
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The place of every role: a position from 0, or a key of an object. */
export type Places<Place> = Readonly<Partial<Record<ColumnRole, Place>>>;

/** The caller's choice of columns: roles in order, or names by role. */
export type ColumnChoice =
  | { readonly inOrder: readonly (ColumnRole | undefined)[] }
  | { readonly byName: Places<string> };

export const prices = ['open', 'high', 'low', 'close'] as const;

/**
 * Finds the roles in a list of names, by the caller's choice or by name. `sample` gives the first cells of a column. An
 * unnamed first column is the time if no other is.
 */
export function findPlaces(
  given: readonly ValueName[],
  choice?: ColumnChoice,
  sample?: (at: number) => readonly string[],
): Places<number> {
  if (choice && 'inOrder' in choice)
    return Object.fromEntries(choice.inOrder.flatMap((role, at) => (role ? [[role, at]] : [])));
  const guessed = withUnnamedTime(findByName(given, sample), given);
  const found = columnRoles.flatMap((role) => {
    const chosen = choice?.byName[role];
    const at = chosen === undefined ? guessed[role] : findPlace(given, chosen);
    return at === undefined || at === -1 ? [] : [[role, at] as const];
  });
  return Object.fromEntries(found);
}

/** Finds a column by its name, or else by its number from 1. */
function findPlace(given: readonly ValueName[], chosen: string): number {
  const wanted = chosen.trim().toLowerCase();
  const at = given.findIndex((name) => name.join('.').trim().toLowerCase() === wanted);
  return at === -1 && /^[1-9]\d{0,3}$/.test(chosen) ? Number(chosen) - 1 : at;
}

function withUnnamedTime(places: Places<number>, given: readonly ValueName[]): Places<number> {
  const isNamed = places.time !== undefined || places.date !== undefined;
  const isIndex = /^(index|unnamed: ?0)?$/i.test((given[0]?.[0] ?? '').trim());
  return !isNamed && isIndex ? { ...places, time: 0 } : places;
}

/** Returns the roles without a place that are required, or that the caller gave a name. */
export function listMissing(places: Places<unknown>, choice?: ColumnChoice): string[] {
  const named = choice && 'byName' in choice ? choice.byName : {};
  const hasTime = places.time !== undefined || places.date !== undefined;
  return columnRoles.filter((role) => {
    const isRequired = role === 'time' ? !hasTime : prices.some((price) => price === role);
    return (isRequired || named[role] !== undefined) && places[role] === undefined;
  });
}

/** Returns for each column whether it is read; all of them are if a role has no place by its name. */
export function findRead(given: readonly string[], choice?: ColumnChoice): boolean[] {
  const names = given.map((name) => [name]);
  const places = findPlaces(names, choice);
  const isUnclear = listMissing(places, choice).length > 0;
  // Which of several times is one, only their values show.
  const times = choice ? [] : findNamed(given.map(bareName), 'time');
  const used = [...Object.values(places), ...times];
  return given.map((name, at) => isUnclear || used.includes(at) || symbolName.test(name));
}

/** Lists roles by their position. */
export function listInOrder(places: RolePlaces): (ColumnRole | undefined)[] {
  const roles = columnRoles.filter((role) => places[role] !== undefined);
  const last = Math.max(...roles.map((role) => places[role] ?? 0));
  return Array.from({ length: last + 1 }, (_, at) => roles.find((role) => places[role] === at));
}

/** Fewest rows whose prices differ that decide an order; where prices hardly move, most rows tell nothing. */
const fewestTelling = 16;

type TextRows = readonly (readonly string[])[];

/** The order of values without names; `isByCustom` if the rows allow another, and this is the commonest. */
export type GuessedPlaces = { readonly places: RolePlaces; readonly isByCustom: boolean };

/**
 * Infers the order of values without names; `areAll` says that no more rows can be read for it.
 * @throws UnclearForm if the rows allow two orders of which neither is usual, or if more of them are to decide
 * @throws UnreadableTable for two sets of prices side by side
 */
export function guessPlaces(rows: TextRows, line: number, areAll: boolean): GuessedPlaces | undefined {
  const [found, other] = inferPlaces(rows);
  const isByCustom = other !== undefined && isUsualOrder(found) && isUsualOrder(other);
  const isUndecided = isByCustom ? !areAll : other || !(areAll || (found && isDecided(rows, found)));
  if (isUndecided) refuseOrders(line, [found, other]);
  refuseSets(rows, line);
  return found && { places: found, isByCustom };
}

function isUsualOrder(places: RolePlaces | undefined): boolean {
  return places !== undefined && isUsual(places as PriceOrder);
}

function isDecided(rows: TextRows, order: RolePlaces): boolean {
  const telling = rows.filter((row) => new Set(prices.map((role) => row[order[role] ?? -1])).size > 1);
  return telling.length >= fewestTelling;
}

/** Refuses two sets of prices, as of bid and ask, of which only one would be judged. */
function refuseSets(rows: TextRows, line: number): void {
  const sets = inferBothSets(rows);
  if (sets === undefined) return;
  const places = sets.map((set) => prices.map((role) => (set[role] ?? 0) + 1));
  const [one, other] = places.map((columns) => `${Math.min(...columns)} to ${Math.max(...columns)}`);
  throw new UnreadableTable(
    line,
    `two sets of prices, in columns ${one} and ${other}, as of bid and ask; judge each by a call: ${writeOrders(sets, ' and ')}`,
  );
}

function refuseOrders(line: number, orders: readonly (RolePlaces | undefined)[]): never {
  const words = `the order of the values is not certain; give ${writeOrders(orders, ' or ')}`;
  throw new UnclearForm(line, words);
}

function writeOrders(orders: readonly (RolePlaces | undefined)[], between: string): string {
  const words = orders.map(
    (order = {}) =>
      `--columns ${listInOrder(order)
        .map((role) => role ?? '-')
        .join(',')}`,
  );
  return words.join(between);
}

/** The syntax of `--columns`, for messages. */
export const columnsHint =
  'give the columns in their order, such as time,open,high,low,close,volume with - for one to skip, or by their names, such as time=Date,open=First';

/** Parses `time,open,-,close` or `time=Date,open=First`; undefined if it is neither. */
export function readColumns(text: string): ColumnChoice | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => part.includes('='))) return chooseByName(parts);
  const roles = parts.map((part) => (part === '-' || part === '' ? undefined : parseRole(part)));
  if (roles.includes(null) || hasTwice(roles)) return undefined;
  return { inOrder: roles as (ColumnRole | undefined)[] };
}

function chooseByName(parts: readonly string[]): ColumnChoice | undefined {
  const pairs = parts.map((part) => {
    const at = part.indexOf('=');
    return [parseRole(part.slice(0, at).trim()), part.slice(at + 1).trim()] as const;
  });
  const roles = pairs.map(([role]) => role);
  if (roles.includes(null) || hasTwice(roles)) return undefined;
  return { byName: Object.fromEntries(pairs) };
}

function parseRole(word: string): ColumnRole | null {
  const lower = word.toLowerCase();
  const named = lower === 'avg' ? 'average' : lower;
  return columnRoles.find((role) => role === named) ?? null;
}

function hasTwice(roles: readonly (ColumnRole | null | undefined)[]): boolean {
  const known = roles.filter(Boolean);
  return new Set(known).size < known.length;
}
