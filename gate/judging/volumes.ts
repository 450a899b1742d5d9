import { day } from '../../contract/document/interval.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import {
  type Detector,
  type Doubt,
  extendPlace,
  findPlace,
  type HeldPlace,
  HeldPlaces,
  oddsOfRun,
  suspect,
} from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

/** The doubts about volumes. */
export const volumeDoubts = {
  zero: {
    ...{ id: 'volume/none', kind: 'volume', columns: ['volume'] },
    statement: 'A price that moves has a volume, and trades, where nine rows in ten have them.',
  },
  repeated: {
    ...{ id: 'volume/repeated', kind: 'volume', columns: ['volume'] },
    statement: 'A volume of five digits does not come three times in a row while the close changes.',
  },
  level: {
    ...{ id: 'volume/level', kind: 'volume', columns: ['volume'] },
    statement: 'No ten volumes in a row are all 20 times, or a twentieth, of each of the ten before.',
  },
} as const satisfies Record<string, Doubt>;

/** Share of rows with a volume from which one of 0 beside a price that moves is suspected. */
const usualShare = 0.9;

/** Rows of one volume, and least volume of five digits. */
const [fewestRepeated, leastDigits] = [3, 5];

/** Rows on each side of a change of level, and its factor. */
const [levelRows, levelTimes] = [10, 20];

/** A longer step between rows is a gap, across which a level may change; weekends are none. */
const longGap = 5 * day;

/** Rows for each change of level from which changes are the market's habit, such as at the open of each day. */
const [habit, fewHabits] = [2000, 2];

/** Growth of the range from which a change of level is one of the market, as at its open. */
const livelier = 3;

type Level = HeldPlace & { readonly times: number };

/** Finds volumes that contradict the prices beside them or the volumes around them. */
export class Volumes implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  readonly #zeros = new HeldPlaces();
  readonly #levels = new HeldPlaces<Level>();
  readonly #repeated = new HeldPlaces<HeldPlace & { readonly volume: number }>();
  #run: (HeldPlace & { readonly volume: number }) | undefined;
  #runs = 0;
  #positive = 0;
  #traded = 0;
  #known = 0;
  #knownTrades = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    const { open, close, volume, trades } = this.#window.columns;
    for (let at = from; at < to; at++) {
      const value = volume[at] as number;
      const count = trades[at] as number;
      if (value > 0) this.#positive++;
      if (value >= 0) this.#known++;
      if (count > 0) this.#traded++;
      if (count >= 0) this.#knownTrades++;
      if ((value === 0 || count === 0) && open[at] !== close[at])
        this.#zeros.add(findPlace(this.#window, at, at));
      if (at === 0) continue;
      const before = volume[at - 1] as number;
      if (value === before && close[at] !== close[at - 1] && countDigits(value) >= leastDigits)
        this.#lengthen(at, value);
      else if (this.#run !== undefined) this.#finish();
      if (value >= levelTimes * before || levelTimes * value <= before) this.#judgeLevel(at);
    }
  }

  end(): void {
    if (this.#run) this.#finish();
    this.#reportZeros();
    for (const run of this.#repeated.all) {
      const odds = oddsOfRun(this.#window.rows, this.#runs, run.rows - 1);
      const detail = `the volume ${run.volume} stands in ${run.rows} rows whose closes differ`;
      if (odds > 0) this.#found.add(suspect(volumeDoubts.repeated, run, { detail, odds }));
    }
    const isHabit = this.#levels.all.length > Math.max(fewHabits, this.#window.rows / habit);
    for (const level of isHabit ? [] : this.#levels.all) {
      const { times } = level;
      const words = `${thousands(Math.round(times > 1 ? times : 1 / times))} times ${times > 1 ? 'higher' : 'lower'}`;
      const detail = `volumes are ${words} from here on`;
      const odds = (times > 1 ? times : 1 / times) ** 4 / levelTimes;
      this.#found.add(
        suspect(volumeDoubts.level, level, { detail, odds, unusual: Math.max(times, 1 / times) }),
      );
    }
  }

  #reportZeros(): void {
    const isUsual =
      this.#positive >= usualShare * this.#known && this.#traded >= usualShare * this.#knownTrades;
    if (!isUsual) return;
    // A price that moves without a trade is one of quotes, which tables with few such rows do not have.
    const odds = 10 * (this.#window.rows / this.#zeros.all.length) ** 2;
    for (const place of this.#zeros.all) {
      const detail = 'the price moves without a volume, or without trades';
      this.#found.add(suspect(volumeDoubts.zero, place, { detail, odds }));
    }
  }

  #lengthen(at: number, volume: number): void {
    if (this.#run === undefined) this.#run = { ...findPlace(this.#window, at - 1, at), volume };
    else extendPlace(this.#run, this.#window, at);
  }

  #finish(): void {
    if (this.#run === undefined) return;
    this.#runs++;
    if (this.#run.rows >= fewestRepeated) this.#repeated.add(this.#run);
    this.#run = undefined;
  }

  /** Compares the ten volumes from a row on with the ten before. */
  #judgeLevel(at: number): void {
    const { start, volume } = this.#window.columns;
    if (at < levelRows || at + levelRows > this.#window.count) return;
    const [before, after] = [volume.subarray(at - levelRows, at), volume.subarray(at, at + levelRows)];
    const isUp = Math.min(...after) >= levelTimes * Math.max(...before);
    const isDown = levelTimes * Math.max(...after) <= Math.min(...before);
    if (!(isUp || isDown) || Math.min(...before) <= 0 || Math.min(...after) <= 0) return;
    const span = Math.abs((start[at] as number) - (start[at - 1] as number));
    if (span > Math.max(longGap, this.#window.length) || this.#isLivelier(at, isUp)) return;
    const isAscending = this.#window.direction === 1;
    const later = isAscending ? at : at - 1;
    const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
    const times = sum(after) / sum(before);
    this.#levels.add({ ...findPlace(this.#window, later, later), times: isAscending ? times : 1 / times });
  }

  /** Returns whether prices move more where volumes are higher, as at the open of a session. */
  #isLivelier(at: number, isUp: boolean): boolean {
    const { high, low } = this.#window.columns;
    let [before, after] = [0, 0];
    for (let near = 0; near < levelRows; near++) {
      before += (high[at - 1 - near] as number) - (low[at - 1 - near] as number);
      after += (high[at + near] as number) - (low[at + near] as number);
    }
    return isUp ? after > livelier * before : before > livelier * after;
  }
}

/** Counts the digits of a number, without noughts at its ends. */
function countDigits(value: number): number {
  return value > 0
    ? value
        .toPrecision(12)
        .replace(/e.*$/, '')
        .replace('.', '')
        .replace(/^0+|0+$/g, '').length
    : 0;
}
