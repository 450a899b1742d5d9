import { slots } from '../../plan/slot-plan.ts';
import { hour } from '../../results/calendar.ts';
import { type HourRecord, rollUpSlots } from '../../results/hour-record.ts';
import type { ProbeSample, ProbeSeries, SlotRecord } from '../../results/probe-record.ts';

export type MadeSeries = {
  readonly series: ProbeSeries;
  /** Milliseconds between two slots. */
  readonly period: number;
  readonly pools: number;
  /** Usual milliseconds until an answer. */
  readonly base: number;
};

/** Unix ms: no answers, an old feed, no probes, wrong candles. */
export const story = {
  outage: { target: 'mainnet', from: Date.UTC(2026, 10, 3, 2), to: Date.UTC(2026, 10, 3, 5) },
  stale: { target: 'testnet', from: Date.UTC(2026, 9, 25, 4), to: Date.UTC(2026, 9, 25, 13) },
  wrong: { target: 'testnet', from: Date.UTC(2026, 10, 20, 6), to: Date.UTC(2026, 10, 20, 9, 40) },
  unwatched: { location: 'fra1', from: Date.UTC(2026, 10, 9, 18), to: Date.UTC(2026, 10, 11, 6) },
  saved: { location: 'fra1', from: Date.UTC(2026, 9, 30), to: Date.UTC(2026, 9, 31) },
} as const;

/** Hours by their series, first and last instant. */
const hoursBySpan = new Map<MadeSeries, Map<string, readonly HourRecord[]>>();

/** Returns the hours of a series between two instants, the same for every call: most samples have the same days. */
export function madeHours(made: MadeSeries, from: number, to: number): readonly HourRecord[] {
  const known = hoursBySpan.get(made) ?? new Map<string, readonly HourRecord[]>();
  hoursBySpan.set(made, known);
  const hours = known.get(`${from} ${to}`) ?? makeHours(made, from, to);
  known.set(`${from} ${to}`, hours);
  return hours;
}

function makeHours(made: MadeSeries, from: number, to: number): HourRecord[] {
  const { series, period } = made;
  const id = `${series.target}/${series.probe}`;
  const planned = [...slots({ id, location: series.location, period }, from, to)];
  const found = Map.groupBy(planned, (at) => Math.floor(at / hour) * hour);
  return [...found].map(([begin, all]) =>
    rollUpSlots(
      series,
      begin,
      all.map((at) => makeSlot(made, at)),
    ),
  );
}

/** Returns a number in [0, 1) that depends only on the slot. */
function chance(at: number, salt: number): number {
  const x = Math.sin(at / 7919 + salt * 131.7) * 43758.5453;
  return x - Math.floor(x);
}

function makeSlot({ series, pools, base }: MadeSeries, at: number): SlotRecord {
  const inStory = (name: keyof typeof story): boolean => {
    const { from, to, ...where } = story[name];
    const isHere = 'target' in where ? where.target === series.target : where.location === series.location;
    return isHere && from <= at && at < to;
  };
  const plain = { series, scheduledAt: at, rules: [], samples: [] };
  if (inStory('unwatched')) return { ...plain, state: 'missed' };
  if (inStory('saved') && chance(at, 1) < 0.5) return { ...plain, state: 'quota-skipped' };
  const ran = { ...plain, state: 'run', startedAt: at + 40 } as const;
  const isSunday = new Date(at).getUTCDay() === 0 && Math.floor((at % (24 * hour)) / hour) === 2;
  if (isSunday && series.target === 'mainnet') return { ...ran, outcome: 'excluded' };
  if (inStory('outage')) {
    return { ...ran, outcome: 'failed', rawOutcome: 'failed', failure: { phase: 'wait', class: 'timeout' } };
  }
  const certificateEnd = Date.UTC(2026, 11, 9, 12);
  const age = inStory('stale') ? at - story.stale.from + 90_000 : 35_000 + 50_000 * chance(at, 2);
  const samples = makeSamples(at, pools, base);
  const slow = samples.some(({ timings }) => timings.total > 2000);
  const stale = series.operation === 'listTokens' ? undefined : age > 180_000;
  const answered = { ...ran, samples, slow, certificateEnd, ...(stale !== undefined && { stale, age }) };
  if (inStory('wrong') && series.operation !== 'listTokens') {
    const failure = { phase: 'contract', class: 'candle/high-is-highest' } as const;
    return { ...answered, outcome: 'failed', failure, rules: ['candle/high-is-highest'] };
  }
  const isFlaky = chance(at, 3) < 0.002;
  const outcome = slow || stale ? 'degraded' : 'ok';
  const degradedBy = [...(slow ? ['latency'] : []), ...(stale ? ['freshness'] : [])];
  return {
    ...answered,
    outcome,
    ...(degradedBy.length > 0 && { degradedBy }),
    ...(isFlaky && { rawOutcome: 'failed', rawFailure: { phase: 'wait', class: 'timeout' } }),
  };
}

function makeSamples(at: number, pools: number, base: number): ProbeSample[] {
  return Array.from({ length: pools }, (_, index) => {
    const cold = index === 0;
    const tail = chance(at, 10 + index) < 0.0008 ? 2500 : 0;
    const wait = base * (0.7 + 0.6 * chance(at, 20 + index)) + tail;
    const way = cold ? { dns: 2 + 3 * chance(at, 4), connect: 0.2 * base, tls: 0.35 * base } : {};
    const timings = { ...way, send: 0.3, wait, receive: 4 };
    const total = Object.values(timings).reduce((sum, duration) => sum + duration, 0);
    const confirming = false;
    return { at, cold, confirming, status: 200, timings: { ...timings, total }, sincePlanned: 40 + total };
  });
}
