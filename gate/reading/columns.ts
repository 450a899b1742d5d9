/** What a column of a table means; `date` and `time` of day may stand apart. */
export const columnRoles = ['time', 'date', 'open', 'high', 'low', 'close', 'average', 'volume'] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** Where each of them stands: a position from 0, or a key of an object. */
export type Places<Place> = Readonly<Partial<Record<ColumnRole, Place>>>;

/** What the caller said of the columns: names in their order, or roles by name. */
export type ColumnChoice =
  | { readonly inOrder: readonly (ColumnRole | undefined)[] }
  | { readonly byName: Places<string> };

/** Usual names, best first, in lower case without anything but letters and digits. */
const names: Readonly<Record<ColumnRole, RegExp[]>> = {
  time: [
    // Beside the end of an interval its start is the time.
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

/** Places of the roles in a list of names, by the caller's word or by the names; a first one without a name is the time. */
export function placesIn(given: readonly string[], choice?: ColumnChoice): Places<number> {
  if (choice && 'inOrder' in choice)
    return Object.fromEntries(choice.inOrder.flatMap((role, at) => (role ? [[role, at]] : [])));
  const bare = given.map((each) => each.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const found = columnRoles.flatMap((role) => {
    const chosen = choice?.byName[role];
    const at = chosen === undefined ? guessed(bare, names[role]) : placeOf(given, chosen);
    return at === -1 ? [] : [[role, at] as const];
  });
  return withFirst(Object.fromEntries(found), given);
}

function guessed(bare: readonly string[], patterns: readonly RegExp[]): number {
  for (const pattern of patterns) {
    const at = bare.findIndex((each) => pattern.test(each));
    if (at !== -1) return at;
  }
  return -1;
}

/** By its name, or by its number from 1 where no column has that name. */
function placeOf(given: readonly string[], chosen: string): number {
  const at = given.findIndex((each) => each.trim().toLowerCase() === chosen.trim().toLowerCase());
  return at === -1 && /^[1-9]\d{0,3}$/.test(chosen) ? Number(chosen) - 1 : at;
}

function withFirst(places: Places<number>, given: readonly string[]): Places<number> {
  const isNamed = places.time !== undefined || places.date !== undefined;
  const isIndex = /^(index|unnamed: ?0)?$/i.test((given[0] ?? '').trim());
  return !isNamed && isIndex ? { ...places, time: 0 } : places;
}

/** Roles that a table of candles cannot do without and that have no place. */
export function missingIn(places: Places<unknown>): string[] {
  const time = places.time === undefined && places.date === undefined ? ['time'] : [];
  return [...time, ...prices.filter((price) => places[price] === undefined)];
}
