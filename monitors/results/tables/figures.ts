import { sparseCounts } from '@candleproof/law/planning/histogram';
import type { GoodBad, HourRecord, PhaseBuckets, SampleBuckets } from '../hour-record.ts';
import { timed } from '../hour-record.ts';
import {
  confirmedIndicators,
  type Indicator,
  indicators,
  probeOutcomes,
  slotStates,
} from '../probe-record.ts';

/** The counts of an hour's record; the rest of it has separate columns. */
export type HourFigures = Omit<HourRecord, 'series' | 'begin' | 'certificateEnd' | 'rules' | 'degradedBy'>;

/** Packs an hour into some 100 bytes, not JSON's 1,000. Each list of counts holds its length, so that it may grow. */
export function packFigures(figures: HourFigures): Uint8Array {
  const bytes = new ByteWriter();
  writeCounts(bytes, slotStates, figures.states);
  writeCounts(bytes, probeOutcomes, figures.outcomes);
  writeIndicators(bytes, indicators, figures.indicators);
  bytes.number(figures.requests);
  for (const all of [figures.cold, figures.warm]) bytes.part((part) => writePhases(part, all));
  for (const one of [figures.sincePlanned, figures.age]) bytes.part((part) => writeBuckets(part, one));
  writeIndicators(bytes, confirmedIndicators, figures.firstLook);
  return bytes.toBytes();
}

/**
 * Unpacks the bytes of `bytesOf` into a record. Unpacks buckets on first use: a count of outcomes over years would
 * wait for them in vain.
 */
export function unpackRecord(rest: Omit<HourRecord, keyof HourFigures>, stored: Uint8Array): HourRecord {
  const bytes = new ByteReader(stored);
  const states = readCounts(bytes, slotStates);
  const outcomes = readCounts(bytes, probeOutcomes);
  const said = readIndicators(bytes, indicators);
  const requests = bytes.number();
  const cold = readOnce(bytes.part(), readPhases);
  const warm = readOnce(bytes.part(), readPhases);
  const sincePlanned = readOnce(bytes.part(), readBuckets);
  const age = readOnce(bytes.part(), readBuckets);
  const firstLook = readIndicators(bytes, confirmedIndicators);
  return {
    ...{ ...rest, states, outcomes, indicators: said, firstLook, requests },
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

function readOnce<T>(bytes: ByteReader, read: (bytes: ByteReader) => T): () => T {
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

function writeIndicators<Name extends Indicator>(
  bytes: ByteWriter,
  names: readonly Name[],
  said: Readonly<Partial<Record<Name, GoodBad>>>,
): void {
  bytes.numbers(names.flatMap((name) => [said[name]?.good ?? 0, said[name]?.bad ?? 0]));
}

function readIndicators<Name extends Indicator>(
  bytes: ByteReader,
  names: readonly Name[],
): Partial<Record<Name, GoodBad>> {
  const numbers = bytes.numbers();
  const said: Partial<Record<Name, GoodBad>> = {};
  for (const [index, name] of names.entries()) {
    const [good = 0, bad = 0] = [numbers[2 * index], numbers[2 * index + 1]];
    if (good + bad > 0) said[name] = { good, bad };
  }
  return said;
}

function writePhases(bytes: ByteWriter, all: PhaseBuckets): void {
  for (const phase of timed) writeBuckets(bytes, all[phase] ?? {});
}

function readPhases(bytes: ByteReader): PhaseBuckets {
  const all: Partial<Record<keyof PhaseBuckets, SampleBuckets>> = {};
  for (const phase of timed) {
    const buckets = readBuckets(bytes);
    if (Object.keys(buckets).length > 0) all[phase] = buckets;
  }
  return all;
}

/** Writes the distance from the bucket before, doubled, plus one if a count follows: most hold a single sample. */
function writeBuckets(bytes: ByteWriter, buckets: SampleBuckets): void {
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

function readBuckets(bytes: ByteReader): SampleBuckets {
  const buckets = sparseCounts();
  let bucket = 0;
  for (let left = bytes.number(); left > 0; left--) {
    const way = bytes.number();
    bucket += Math.floor(way / 2);
    buckets[bucket] = way % 2 === 0 ? 1 : bytes.number();
  }
  return buckets;
}

/** Whole numbers from 0 to 2^53, seven bits a byte, the low ones first: small ones take one byte. */
class ByteWriter {
  readonly #bytes: number[] = [];

  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push(128 + (rest % 128));
    this.#bytes.push(rest);
  }

  /** A list with its length. */
  numbers(values: readonly number[]): void {
    this.number(values.length);
    for (const value of values) this.number(value);
  }

  /** Writes a part behind its length, so that a reader may skip it. */
  part(write: (bytes: ByteWriter) => void): void {
    const inner = new ByteWriter();
    write(inner);
    this.number(inner.#bytes.length);
    for (const byte of inner.#bytes) this.#bytes.push(byte);
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Reads in the order of writing; zeros behind the end. */
class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let [value, weight] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte % 128) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  }

  numbers(): number[] {
    const values: number[] = [];
    for (let left = this.number(); left > 0; left--) values.push(this.number());
    return values;
  }

  part(): ByteReader {
    const length = this.number();
    this.#at += length;
    return new ByteReader(this.#bytes.subarray(this.#at - length, this.#at));
  }
}
