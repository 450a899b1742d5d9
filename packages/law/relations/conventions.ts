import { intervalPhase, minute } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import type { TargetFacts } from '../reading/exchange.ts';
import type { CandleAnswer, HistoryAnswer } from '../reading/reading.ts';
import { Tally } from '../reading/statistics.ts';
import { dateLagSeconds, measurePrecision, type Precision } from '../reading/tolerances.ts';
import { intervalLength, isClosed, isOpen, poolKey } from './series.ts';

/** The stamp of an open candle's end: its last observation so far, or the end of its interval. */
export type OpenEnd = 'last observation' | 'interval end';

/**
 * The choices of a target that the document leaves open. Rules measure each candle against the target's
 * convention: a choice is never a breach, mixing two is.
 */
export type Conventions = {
  /** Seconds by which an interval's starts follow the multiples of its length since 1970 in UTC, by that length. */
  readonly phase: ReadonlyMap<number, number>;
  /** Lengths of the intervals whose starts all have that phase, shortest first. */
  readonly steady: ReadonlySet<number>;
  /** Seconds by which closed candles end before their interval does: 0, 1 (inclusive end) or 60 (last observation). */
  readonly endsEarly: number | undefined;
  readonly openEnd: OpenEnd | undefined;
  /** By answer: how finely its averages are reported. */
  readonly averages: ReadonlyMap<CandleAnswer, Precision>;
  /** By pool: an instant at which it was already observed, whatever the interval. */
  readonly alive: ReadonlyMap<string, number>;
};

/** Ways of stamping the end that fit the document's "end of the interval". */
export const earlyEnds = [0, 1, minute] as const;

/** Observes a target's conventions in its answers; of those to odd ranges, only how finely they are reported. */
export function observeConventions(
  answers: readonly CandleAnswer[],
  odd: readonly CandleAnswer[] = [],
): Conventions {
  const lengths = [...new Set(answers.map(intervalLength))].sort((a, b) => a - b);
  const phases = new Map(lengths.map((length) => [length, new Tally<number>()]));
  const ends = new Tally<number>();
  const opens = new Tally<OpenEnd>();
  const alive = new Map<string, number>();
  for (const answer of answers) {
    const length = intervalLength(answer);
    const pool = poolKey(answer);
    const earliest = isPrehistoric(answer) ? undefined : answer.inTime[0]?.start;
    if (earliest !== undefined)
      alive.set(pool, Math.min(alive.get(pool) ?? Number.POSITIVE_INFINITY, earliest + length));
    const starts = phases.get(length);
    const { inTime } = answer;
    // A plain loop: a long history has hundreds of thousands of candles.
    for (let at = 0; at < inTime.length; at++) {
      const candle = inTime[at] as Candle;
      starts?.add(intervalPhase(candle.start, length));
      if (isClosed(candle, answer)) ends.add(candle.start + length - candle.end);
      else if (isOpen(candle, answer)) addOnly(opens, openEnds(candle, answer));
    }
  }
  return {
    phase: new Map(lengths.flatMap((length) => present(length, phases.get(length)?.commonest()))),
    steady: new Set(lengths.filter((length) => phases.get(length)?.isUnanimous())),
    endsEarly: ends.commonest((early) => (earlyEnds as readonly number[]).includes(early)),
    openEnd: opens.commonest(),
    averages: new Map([...answers, ...odd].map((answer) => [answer, measurePrecision(listAverages(answer))])),
    alive,
  };
}

/** The whole range lies before anything of the kind was traded: what it holds proves no life. */
export function isPrehistoric({ requested }: CandleAnswer): boolean {
  return requested.prehistoric === true;
}

function* listAverages({ candles }: CandleAnswer): Generator<number> {
  for (const { avg } of candles) if (Number.isFinite(avg)) yield avg;
}

/** Returns whether the target or its document declares that intervals which no one observed have no row. */
export function mayLackRows(
  { requested }: HistoryAnswer,
  { spec, target }: { readonly spec: Spec; readonly target: TargetFacts },
): boolean {
  return target.gaps === 'idle' || operationById(spec, requested.operation).gaps === 'idle';
}

/** Returns the ways in which an open candle's end may have been stamped: none, one, or both if they coincide. */
export function openEnds(candle: Candle, answer: CandleAnswer): OpenEnd[] {
  const now = answer.nowWithin?.to ?? Number.NaN;
  const fits: OpenEnd[] = [];
  if (candle.end <= now + minute + dateLagSeconds && candle.end >= candle.start)
    fits.push('last observation');
  const early = candle.start + intervalLength(answer) - candle.end;
  if ((earlyEnds as readonly number[]).includes(early)) fits.push('interval end');
  return fits;
}

/** A candle that fits two conventions speaks for neither. */
function addOnly<Value>(tally: Tally<Value>, values: readonly Value[]): void {
  const [only] = values;
  if (only !== undefined && values.length === 1) tally.add(only);
}

function present<Key, Value>(key: Key, value: Value | undefined): [Key, Value][] {
  return value === undefined ? [] : [[key, value]];
}
