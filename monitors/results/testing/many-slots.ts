import { day, hour, roundToBegin } from '../calendar.ts';
import type { ProbeOutcome, ProbeSample, ProbeSeries, SlotRecord } from '../probe-record.ts';
import type {
  EventRecord,
  IncidentRecord,
  QuotaRecord,
  RecordBatch,
  ResultsStore,
} from '../results-store.ts';

const targets = ['mainnet', 'testnet'];
const probes = [
  { probe: 'tokens', operation: 'listTokens' },
  { probe: 'candles', operation: 'listV2PoolCandles' },
  { probe: 'latest', operation: 'getLatestV1PoolCandle' },
] as const;
const slotsInBatch = 12_000;

/** Two keys' months of 10,000 requests, each spent by three probes of one target. */
const usualPeriod = 788_000;

/** The start of a history, its length in days, and the period of its six series, in ms. */
export type History = { readonly begin: number; readonly days: number; readonly period?: number };

/** Five years with 1.2 million slots. */
export const fiveYears: History = { begin: Date.UTC(2021, 10, 1), days: 1826 };

/** Writes a history into a store; equal histories are equal slot by slot. */
export async function recordMany(store: ResultsStore, history: History): Promise<number> {
  let slots = 0;
  for (const batch of manySlots(history)) {
    await store.record(batch);
    slots += batch.slots?.length ?? 0;
  }
  return slots;
}

/** One request a slot, with outages, slow and stale hours, wrong candles, maintenance, missed slots, and quota counters. */
export function* manySlots({ begin, days, period = usualPeriod }: History): Generator<RecordBatch> {
  const random = randomFrom(20_261_121);
  const end = begin + days * day;
  let batch = emptyBatch();
  for (let round = begin; round < end; round += period) {
    const troubles = targets.map((target) => drawTrouble(target, round));
    for (const [index, series] of allSeries().entries()) {
      const trouble = troubles[Math.floor(index / probes.length)] ?? 'none';
      const scheduledAt = round + index * Math.floor(period / 6) + 17;
      if (scheduledAt < end) batch.slots.push(makeSlot(series, scheduledAt, trouble, random));
    }
    for (const [index, target] of targets.entries())
      addFacts(batch, { target, at: round, trouble: troubles[index] ?? 'none', period });
    if (batch.slots.length < slotsInBatch) continue;
    yield batch;
    batch = emptyBatch();
  }
  yield batch;
}

type GrowingBatch = {
  slots: SlotRecord[];
  events: EventRecord[];
  incidents: IncidentRecord[];
  quotas: QuotaRecord[];
};

function emptyBatch(): GrowingBatch {
  return { slots: [], events: [], incidents: [], quotas: [] };
}

function allSeries(): ProbeSeries[] {
  return targets.flatMap((target) => probes.map((probe) => ({ target, ...probe, location: 'fra-1' })));
}

type Trouble = 'none' | 'outage' | 'slow' | 'stale' | 'wrong' | 'maintenance' | 'missed' | 'limited';

const troubles: readonly (readonly [Trouble, number])[] = [
  ['outage', 4],
  ['slow', 10],
  ['stale', 6],
  ['wrong', 3],
  ['maintenance', 5],
  ['missed', 8],
  ['limited', 2],
];

/** Draws the trouble of an hour, by the thousandths of all hours that have each kind. */
function drawTrouble(target: string, at: number): Trouble {
  const drawn = randomFrom(roundToBegin(at, hour) / hour + target.length * 7919)() * 1000;
  let least = 0;
  for (const [trouble, share] of troubles) {
    least += share;
    if (drawn < least) return trouble;
  }
  return 'none';
}

const outcomes: Partial<Record<Trouble, ProbeOutcome>> = {
  outage: 'failed',
  wrong: 'failed',
  slow: 'degraded',
  stale: 'degraded',
  maintenance: 'excluded',
  limited: 'limited',
};

function makeSlot(
  series: ProbeSeries,
  scheduledAt: number,
  trouble: Trouble,
  random: () => number,
): SlotRecord {
  if (trouble === 'missed') {
    return { series, scheduledAt, state: 'missed', rules: [], reason: 'nobody was there', samples: [] };
  }
  const startedAt = scheduledAt + Math.floor(random() * 40);
  const sample = makeSample(startedAt, startedAt - scheduledAt, trouble, random);
  const isAnswered = trouble !== 'outage';
  return {
    ...{ series, scheduledAt, state: 'run', startedAt },
    finishedAt: startedAt + Math.ceil(sample.timings.total),
    outcome: outcomes[trouble] ?? 'ok',
    ...(trouble === 'outage' && { failure: { phase: 'status', class: '503' } as const }),
    ...(trouble === 'wrong' && { failure: { phase: 'contract', class: 'candle/average' } as const }),
    rules: trouble === 'wrong' ? ['candle/average'] : [],
    ...(isAnswered && { slow: trouble === 'slow' }),
    ...(isAnswered &&
      series.probe !== 'tokens' && {
        stale: trouble === 'stale',
        age: Math.floor(61_000 + random() * 30_000 + (trouble === 'stale' ? hour : 0)),
      }),
    ...(sample.cold && { certificateEnd: roundToBegin(scheduledAt, 60 * day) + 90 * day }),
    samples: [sample],
  };
}

const statuses: Partial<Record<Trouble, number>> = { outage: 503, limited: 429, maintenance: 503 };

function makeSample(at: number, late: number, trouble: Trouble, random: () => number): ProbeSample {
  const spread = (least: number, more: number): number =>
    Math.round((least + more * random() ** 3) * 1000) / 1000;
  const cold = random() < 0.7;
  const wait = spread(38, 60) * (trouble === 'slow' ? 12 : 1);
  const parts = {
    ...(cold && { dns: spread(1, 9), connect: spread(11, 6), tls: spread(24, 12) }),
    ...{ send: spread(0.1, 0.4), wait, receive: spread(0.5, 7) },
  };
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return {
    ...{ at, cold, confirming: false, pool: 1 + (at % 2), status: statuses[trouble] ?? 200 },
    timings: { ...parts, total },
    sincePlanned: late + total,
  };
}

type Round = {
  readonly target: string;
  readonly at: number;
  readonly trouble: Trouble;
  readonly period: number;
};

function addFacts(batch: GrowingBatch, { target, at, trouble, period }: Round): void {
  const month = new Date(at);
  const resetAt = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1) - 1;
  const begin = Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1);
  const used = Math.floor((at - begin) / period) * probes.length;
  const quota = {
    limit: 10_000,
    remaining: Math.max(0, 10_000 - used),
    additional: Math.max(0, used - 10_000),
  };
  batch.quotas.push({ key: `${target}-key`, at, ...quota, resetAt });
  if (trouble !== 'outage' || roundToBegin(at, hour) === roundToBegin(at - period, hour)) return;
  const end = roundToBegin(at, hour) + hour;
  batch.events.push({ at, kind: 'alert-fired', target, detail: { pair: '1h', failures: 2 } });
  batch.incidents.push({
    ...{ id: `${target}-${at}`, target, location: 'fra-1', indicator: 'availability' },
    ...{ begin: at, lastBad: end - period, end, slots: 4, failures: [{ phase: 'status', class: '503' }] },
  });
}

/** Mulberry32: fractions from 0 to 1, the same from the same seed everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
