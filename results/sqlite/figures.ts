import { sparseCounts } from '../../planning/histogram.ts';
import { timed } from '../hour-of.ts';
import type { Buckets, HourRecord, PhaseBuckets } from '../hour-record.ts';
import { indicators, probeOutcomes, slotStates } from '../probe-record.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** What an hour's record counts; the rest of it has columns of its own. */
export type Figures = Omit<HourRecord, 'series' | 'begin' | 'certificateEnd' | 'rules'>;

/** An hour in some 100 bytes; in JSON it would be 1,000. Each list of counts tells its length, so that it may grow. */
export function bytesOf(figures: Figures): Uint8Array {
  const bytes = new ByteWriter();
  writeCounts(bytes, slotStates, figures.states);
  writeCounts(bytes, probeOutcomes, figures.outcomes);
  writeCounts(bytes, probeOutcomes, figures.rawOutcomes);
  const said = indicators.map((each) => figures.indicators[each] ?? { good: 0, bad: 0 });
  bytes.numbers(said.flatMap(({ good, bad }) => [good, bad]));
  bytes.number(figures.requests);
  for (const all of [figures.cold, figures.warm]) bytes.part((part) => writePhases(part, all));
  for (const one of [figures.sincePlanned, figures.age]) bytes.part((part) => writeBuckets(part, one));
  return bytes.finished();
}

/**
 * What `bytesOf` made bytes of, with what belongs to it otherwise. Buckets are unpacked when somebody looks at them: who
 * counts outcomes over years would wait for nothing else.
 */
export function recordOf(rest: Omit<HourRecord, keyof Figures>, stored: Uint8Array): HourRecord {
  const bytes = new ByteReader(stored);
  const states = readCounts(bytes, slotStates);
  const outcomes = readCounts(bytes, probeOutcomes);
  const rawOutcomes = readCounts(bytes, probeOutcomes);
  const indicators = readIndicators(bytes);
  const requests = bytes.number();
  const cold = once(bytes.part(), readPhases);
  const warm = once(bytes.part(), readPhases);
  const sincePlanned = once(bytes.part(), readBuckets);
  const age = once(bytes.part(), readBuckets);
  return {
    ...{ ...rest, states, outcomes, rawOutcomes, indicators, requests },
    get cold() {
      return cold();
    },
    get warm() {
      return warm();
    },
    get sincePlanned() {
      return sincePlanned();
    },
    get age() {
      return age();
    },
  };
}

function once<T>(bytes: ByteReader, read: (bytes: ByteReader) => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= read(bytes);
    return value;
  };
}

function writeCounts<Name extends string>(
  bytes: ByteWriter,
  names: readonly Name[],
  counts: Readonly<Partial<Record<Name, number>>>,
): void {
  bytes.numbers(names.map((name) => counts[name] ?? 0));
}

function readCounts<Name extends string>(
  bytes: ByteReader,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const [index, count] of bytes.numbers().entries()) {
    const name = names[index];
    if (name !== undefined && count > 0) counts[name] = count;
  }
  return counts;
}

function readIndicators(bytes: ByteReader): Figures['indicators'] {
  const numbers = bytes.numbers();
  return Object.fromEntries(
    indicators.flatMap((indicator, index) => {
      const [good = 0, bad = 0] = numbers.slice(2 * index, 2 * index + 2);
      return good + bad > 0 ? [[indicator, { good, bad }]] : [];
    }),
  );
}

function writePhases(bytes: ByteWriter, all: PhaseBuckets): void {
  for (const phase of timed) writeBuckets(bytes, all[phase] ?? {});
}

function readPhases(bytes: ByteReader): PhaseBuckets {
  const all: Partial<Record<keyof PhaseBuckets, Buckets>> = {};
  for (const phase of timed) {
    const buckets = readBuckets(bytes);
    if (Object.keys(buckets).length > 0) all[phase] = buckets;
  }
  return all;
}

/** The way from the bucket before, doubled, with one added where a count follows: most hold a single sample. */
function writeBuckets(bytes: ByteWriter, buckets: Buckets): void {
  const entries = Object.entries(buckets);
  bytes.number(entries.length);
  let last = 0;
  for (const [name, count] of entries) {
    const bucket = Number(name);
    bytes.number((bucket - last) * 2 + (count === 1 ? 0 : 1));
    if (count !== 1) bytes.number(count);
    last = bucket;
  }
}

function readBuckets(bytes: ByteReader): Buckets {
  const buckets = sparseCounts();
  let bucket = 0;
  for (let left = bytes.number(); left > 0; left--) {
    const way = bytes.number();
    bucket += Math.floor(way / 2);
    buckets[bucket] = way % 2 === 0 ? 1 : bytes.number();
  }
  return buckets;
}
