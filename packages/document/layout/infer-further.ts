import { areTimes, type RolePlaces } from './infer-places.ts';
import { guessUnit, parseTime } from './written-times.ts';

/**
 * Infers roles of unnamed values beside those of `inferPlaces`, from what the rows show: a second time an interval after
 * the first is the end, whole numbers that are zero where nothing was traded are trades, and a mark that differs in the
 * newest row alone says whether a row is closed.
 * @param columns the texts of each value, oldest row first
 */
export function inferFurther(columns: readonly (readonly string[])[], places: RolePlaces): RolePlaces {
  const taken: readonly (number | undefined)[] = Object.values(places);
  const rest = columns.flatMap((texts, at) =>
    taken.includes(at) || texts.length < fewestRows ? [] : [{ texts, at }],
  );
  const times = places.time === undefined ? [] : readTimes(columns[places.time] ?? []);
  const volume = columns[places.volume ?? -1]?.map(Number);
  const end = rest.find(({ texts }) => areTimes(texts) && areEnds(readTimes(texts), times));
  const closed = rest.find(({ texts }) => isMark(texts));
  const trades = rest.find(
    (each) => each !== end && each !== closed && volume && areCounts(each.texts, volume),
  );
  return {
    ...places,
    ...(end && { end: end.at }),
    ...(closed && { closed: closed.at }),
    ...(trades && { trades: trades.at }),
  };
}

/** Fewer rows show too little. */
const fewestRows = 5;

function readTimes(texts: readonly string[]): number[] {
  const unit = guessUnit(texts) ?? 'iso';
  return texts.map((text) => parseTime(text, unit));
}

/** Seconds by which an end may lie before the next start: none, a millisecond or a second. */
const beforeNext = [0, 0.001, 1];

function areEnds(ends: readonly number[], starts: readonly number[]): boolean {
  const steps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
  const step = Math.min(...steps.filter((each) => each > 0));
  return beforeNext.some((short) =>
    ends.every((end, at) => Math.abs(end - (starts[at] ?? 0) - (step - short)) < 1e-4),
  );
}

const open = /^(false|0)$/;
const settled = /^(true|1)$/;

function isMark(texts: readonly string[]): boolean {
  return open.test(texts.at(-1) ?? '') && texts.slice(0, -1).every((text) => settled.test(text));
}

function areCounts(texts: readonly string[], volume: readonly number[]): boolean {
  return (
    new Set(texts).size > 2 &&
    texts.every((text, at) => /^\d{1,9}$/.test(text) && (text === '0') === (volume[at] === 0))
  );
}
