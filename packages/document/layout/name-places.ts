import { areTimes, type RolePlaces } from './infer-places.ts';
import { bareName, findNamed, type NamedRole, namedRoles } from './role-names.ts';
import { guessUnit, isCount, parseTime } from './written-times.ts';

/** A value's name, with the members that lead to it where it is nested: `mid.o` is o in mid. */
export type ValueName = readonly string[];

/** Words for prices of one kind among several, best first. */
const bestSides = ['mid', 'trade', 'last', 'price', 'quote', 'usd'];

/**
 * Finds roles by the names of values; `sample` gives the first values of one, which distinguish a time from a number of
 * rows. Prices that several members name are all taken from one of them.
 */
export function findByName(
  names: readonly ValueName[],
  sample: (at: number) => readonly string[] = () => [],
): RolePlaces {
  const places: Partial<Record<NamedRole, number>> = {};
  const side = chooseSide(names);
  const bare = reduceNames(names);
  const isOfSide = (at: number): boolean => side === undefined || parentOf(names[at] ?? []) === side;
  for (const role of namedRoles) {
    const found = findNamed(bare, role).filter((at) => !Object.values(places).includes(at));
    const isTime = role === 'time' || role === 'date' || role === 'end';
    const fit = isTime ? found.filter((at) => isTimeLike(sample(at))) : found;
    // A start that is the same in each row, such as the year 1 of a field without a value, tells none.
    const varies = (at: number): boolean => role === 'time' && new Set(sample(at)).size > 1;
    const first = fit.find(isTime ? varies : isOfSide) ?? fit[0];
    const usual = role === 'time' ? preferCount(first, fit, sample) : first;
    const chosen = role === 'volume' ? chooseVolume(fit, usual, bare, sample) : usual;
    if (chosen !== undefined) places[role] = chosen;
    if (role === 'time') Object.assign(places, splitAlike(places.time, names, sample));
  }
  return places.time === undefined && places.date === undefined
    ? { ...places, ...findByValue(places, bare, sample) }
    : places;
}

/** Returns the count beside a text that has the same times: it needs no zone. */
function preferCount(
  first: number | undefined,
  found: readonly number[],
  sample: (at: number) => readonly string[],
): number | undefined {
  const steps = (at: number): string => {
    const texts = sample(at);
    const unit = guessUnit(texts) ?? 'dmy';
    const times = texts.map((text) => parseTime(text, unit));
    return times.map((time) => Math.round(time - (times[0] ?? 0))).join();
  };
  const isCounted = (at: number): boolean => sample(at).length > 0 && isCount(guessUnit(sample(at)) ?? 'dmy');
  if (first === undefined || sample(first).length < 2 || isCounted(first)) return first;
  return found.find((at) => isCounted(at) && steps(at) === steps(first)) ?? first;
}

/** Returns the start and the end of two times whose names differ in case alone, such as t and T: the start is earlier. */
function splitAlike(
  time: number | undefined,
  names: readonly ValueName[],
  sample: (at: number) => readonly string[],
): RolePlaces {
  const written = (at: number): string => (names[at] ?? []).join('.');
  const alike = names
    .flatMap((_, at) => (written(at).toLowerCase() === written(time ?? -1).toLowerCase() ? [at] : []))
    .sort((one, other) => (written(one) < written(other) ? 1 : -1));
  const [lower, upper, ...more] = alike;
  if (time === undefined || lower === undefined || upper === undefined || more.length > 0) return {};
  if (written(lower) === written(upper)) return {};
  const first = (at: number): number => {
    const texts = sample(at);
    return parseTime(texts[0] ?? '', guessUnit(texts) ?? 'dmy');
  };
  return first(lower) > first(upper) ? { time: upper, end: lower } : { time: lower, end: upper };
}

/** Returns the usual volume, or another if that is 0 in every row, as in MetaTrader beside the number of ticks. */
function chooseVolume(
  found: readonly number[],
  usual: number | undefined,
  bare: readonly string[],
  sample: (at: number) => readonly string[],
): number | undefined {
  const isUsed = (at: number): boolean => sample(at).some((text) => /[1-9]/.test(text));
  if (usual === undefined || isUsed(usual)) return usual;
  const other = found.find((at) => /vol/.test(bare[at] ?? '') && isUsed(at));
  return other ?? usual;
}

/** Finds a time by its values; one that has only the name is kept, so that the error can name its unit. */
function findByValue(
  places: RolePlaces,
  bare: readonly string[],
  sample: (at: number) => readonly string[],
): RolePlaces {
  const taken: readonly number[] = Object.values(places);
  const byValue = bare.findIndex(
    (_, at) => !taken.includes(at) && sample(at).length > 0 && areTimes(sample(at)),
  );
  const time = byValue === -1 ? findNamed(bare, 'time')[0] : byValue;
  return time === undefined ? {} : { time };
}

/** Numbers of rows are no times, whatever their name; a column of unreadable cells keeps the role of its name. */
function isTimeLike(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '');
  return (
    filled.length === 0 ||
    areTimes(filled, true) ||
    filled.some((text) => !/^-?[\d.]+$/.test(text)) ||
    filled.every((text) => /^\d{4}(\d\d)?$/.test(text))
  );
}

/** A yfinance column is named by price and ticker, one below the other. */
function isLevel(name: string | undefined): boolean {
  return name !== undefined && /^\d+$/.test(name);
}

function parentOf(name: ValueName): string {
  return name.slice(0, -1).join('.');
}

const prices = ['open', 'high', 'low', 'close'] as const;

/** Reduces each name to the member that may tell its role: the last one, or the first if that names the prices alone. */
function reduceNames(names: readonly ValueName[]): string[] {
  const lasts = names.map((name) =>
    bareName(isLevel(name.at(-1)) ? (name.slice(0, -1).at(-1) ?? '') : (name.at(-1) ?? '')),
  );
  const firsts = names.map(([first = '']) => bareName(first));
  const hasPrices = (bare: readonly string[]): boolean =>
    prices.every((role) => findNamed(bare, role).length > 0);
  return !hasPrices(lasts) && hasPrices(firsts) ? firsts : lasts;
}

/** Returns the member that holds all four prices, the best of several; undefined for prices beside the other values. */
function chooseSide(names: readonly ValueName[]): string | undefined {
  const parents = [...new Set(names.map(parentOf))];
  const whole = parents.filter((parent) => {
    const bare = names.filter((name) => parentOf(name) === parent).map((name) => bareName(name.at(-1) ?? ''));
    return prices.every((role) => findNamed(bare, role).length > 0);
  });
  if (whole.includes('')) return '';
  const best = bestSides.flatMap((side) => whole.filter((parent) => bareName(parent).includes(side)));
  return best[0] ?? whole[0];
}
