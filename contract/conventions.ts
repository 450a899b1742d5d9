import type { Candle } from './candle.ts';
import { type Interval, intervalSeconds, minute, phaseOf } from './interval.ts';
import type { CandleAnswer } from './reading.ts';
import { isClosed, isOpen, lengthOf, poolOf } from './series.ts';
import { dateLagSeconds } from './tolerances.ts';

/** How the end of an open candle is stamped: by its last observation so far, or by where its interval will end. */
export type OpenEnd = 'last observation' | 'interval end';

/**
 * What a target is seen to do where the document leaves a choice. Rules measure each candle against the target's
 * own convention: a choice is never a breach, mixing two is.
 */
export type Conventions = {
  /** Seconds by which an interval's starts lie after multiples of its length, counted from 1970 in UTC. */
  readonly phase: ReadonlyMap<Interval, number>;
  /** Seconds by which closed candles end before their interval does: 0, 1 (inclusive end) or 60 (last observation). */
  readonly endsEarly: number | undefined;
  readonly openEnd: OpenEnd | undefined;
  /** By pool: an instant at which it was already observed, whatever the interval. */
  readonly alive: ReadonlyMap<string, number>;
};

/** Ways of stamping the end that fit the document's "end of the interval". */
export const earlyEnds = [0, 1, minute] as const;

export function observeConventions(answers: readonly CandleAnswer[]): Conventions {
  const phases = new Map<Interval, Tally>();
  const ends: Tally = new Map();
  const opens: Tally<OpenEnd> = new Map();
  const alive = new Map<string, number>();
  for (const answer of answers) {
    const length = lengthOf(answer);
    const starts = phases.get(answer.asked.interval) ?? new Map();
    phases.set(answer.asked.interval, starts);
    for (const candle of answer.candles) {
      if (Number.isNaN(candle.start)) continue;
      count(starts, phaseOf(candle.start, length));
      alive.set(poolOf(answer), Math.min(alive.get(poolOf(answer)) ?? Infinity, candle.start + length));
      if (isClosed(candle, answer)) count(ends, candle.start + length - candle.end);
      else if (isOpen(candle, answer)) countOnly(opens, openEnds(candle, answer));
    }
  }
  const known = [...ends].filter(([early]) => (earlyEnds as readonly number[]).includes(early));
  return {
    phase: new Map([...phases].flatMap(([interval, tally]) => present(interval, commonest(tally)))),
    endsEarly: commonest(new Map(known)),
    openEnd: commonest(opens),
    alive,
  };
}

/** The ways in which an open candle's end may have been stamped: none, one, or both where they coincide. */
export function openEnds(candle: Candle, answer: CandleAnswer): OpenEnd[] {
  const now = answer.serverNow ?? Number.NaN;
  const fits: OpenEnd[] = [];
  if (candle.end <= now + minute + dateLagSeconds && candle.end >= candle.start)
    fits.push('last observation');
  const early = candle.start + intervalSeconds[answer.asked.interval] - candle.end;
  if ((earlyEnds as readonly number[]).includes(early)) fits.push('interval end');
  return fits;
}

type Tally<Value = number> = Map<Value, number>;

function count<Value>(tally: Tally<Value>, value: Value): void {
  tally.set(value, (tally.get(value) ?? 0) + 1);
}

/** A candle that fits two conventions speaks for neither. */
function countOnly<Value>(tally: Tally<Value>, values: readonly Value[]): void {
  const [only] = values;
  if (only !== undefined && values.length === 1) count(tally, only);
}

function commonest<Value>(tally: Tally<Value>): Value | undefined {
  return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function present<Key, Value>(key: Key, value: Value | undefined): [Key, Value][] {
  return value === undefined ? [] : [[key, value]];
}
