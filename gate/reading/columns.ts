/** The meanings of columns. `date` and time of day can be separate columns. */
export const columnRoles = ['time', 'date', 'open', 'high', 'low', 'close', 'average', 'volume'] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The place of every role: a position from 0, or a key of an object. */
export type Places<Place> = Readonly<Partial<Record<ColumnRole, Place>>>;

/** The caller's choice of columns: roles in order, or names by role. */
export type ColumnChoice =
  | { readonly inOrder: readonly (ColumnRole | undefined)[] }
  | { readonly byName: Places<string> };

/** Usual names, best first, in lower case and reduced to letters and digits. */
const names: Readonly<Record<ColumnRole, RegExp[]>> = {
  time: [
    // If a table has both the start and the end of an interval, the start is the time.
    /^(open|start|begin)(ing)?time(stamp)?(s|ms|seconds|milliseconds|utc|gmt)?$/,
    /^(unix|epoch)(time(stamp)?)?(s|ms|seconds|milliseconds)?$/,
    /^(date|gmt|local|utc|open|start|bar|begin|period|candle)?time(stamp)?(s|ms|seconds|milliseconds|utc|gmt)?$/,
    /^(ts|t|start|begin|datetimeutc|openat|startsat|periodstart)$/,
  ],
  date: [/^(date|day|dt)(utc|gmt)?$/],
  open: [/^(o|op|open|openprice|priceopen|opening)$/],
  high: [/^(h|hi|high|highprice|pricehigh|max)$/],
  low: [/^(l|lo|low|lowprice|pricelow|min)$/],
  close: [/^(c|cl|close|closeprice|priceclose|closing|last)$/],
  average: [/^(avg|average|mean)(price)?$/],
  volume: [/^(v|vol|volume)$/, /^(base|tick|trade)?vol(?!at)/],
};

const prices = ['open', 'high', 'low', 'close'] as const;

/** Finds the roles in a list of names, by the caller's choice or by name. An unnamed first column is the time. */
export function findPlaces(given: readonly string[], choice?: ColumnChoice): Places<number> {
  if (choice && 'inOrder' in choice)
    return Object.fromEntries(choice.inOrder.flatMap((role, at) => (role ? [[role, at]] : [])));
  const bare = given.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const found = columnRoles.flatMap((role) => {
    const chosen = choice?.byName[role];
    const at = chosen === undefined ? guessPlace(bare, names[role]) : findPlace(given, chosen);
    return at === -1 ? [] : [[role, at] as const];
  });
  return withUnnamedTime(Object.fromEntries(found), given);
}

function guessPlace(bare: readonly string[], patterns: readonly RegExp[]): number {
  for (const pattern of patterns) {
    const at = bare.findIndex((name) => pattern.test(name));
    if (at !== -1) return at;
  }
  return -1;
}

/** Finds a column by its name, or else by its number from 1. */
function findPlace(given: readonly string[], chosen: string): number {
  const at = given.findIndex((name) => name.trim().toLowerCase() === chosen.trim().toLowerCase());
  return at === -1 && /^[1-9]\d{0,3}$/.test(chosen) ? Number(chosen) - 1 : at;
}

function withUnnamedTime(places: Places<number>, given: readonly string[]): Places<number> {
  const isNamed = places.time !== undefined || places.date !== undefined;
  const isIndex = /^(index|unnamed: ?0)?$/i.test((given[0] ?? '').trim());
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

/** Names of columns with the symbol of each row. */
export const symbolName = /^(symbol|ticker|pair|instrument)$/i;

/** Returns for each column whether it is read; all of them are if a role has no place by its name. */
export function findRead(given: readonly string[], choice?: ColumnChoice): boolean[] {
  const places = findPlaces(given, choice);
  const isUnclear = listMissing(places, choice).length > 0;
  const used = Object.values(places);
  return given.map((name, at) => isUnclear || used.includes(at) || symbolName.test(name));
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
