import { day } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import { thousands } from '@candleproof/law/reading/words';
import { Detector, type Doubt, findPlace, type HeldPlace, HeldPlaces, isHabit } from './detector.ts';

const levelDoubt: Doubt = {
  ...{ id: 'volume/level', kind: 'volume', columns: ['volume'] },
  statement: 'No ten volumes in a row are all 20 times, or a twentieth, of each of the ten before.',
};

/**
 * Rows on each side of a change of level, and the times that each volume of one side is at least of each of the other: ten volumes
 * of 300 to 800 before ten of 16,000 and more, as in another unit.
 */
const [levelRows, levelTimes] = [10, 20];

/** Rows on each side that show the factor: ten volumes of 300 to 2,000 say 1,300 or 700 times, where sixty say 1,000. */
const factorRows = 64;

/**
 * A change of level in a market whose volumes differ much by themselves, as those of hours by night do: the rows directly before and
 * after it, fewest on each side and times that one median is at least of the other, and the times that seven of ten are of
 * seven of ten: 12 and 20 million with 200 thousand in each fourth row before 375 million, 22 and 19 thousand million.
 */
const uneven = { adjacent: 3, rows: 32, times: 200, outliers: 0.3, apart: 3 };

/** Ratio of the factors of ten rows and of more from which the level ends within these: 1,000 times in ten rows, 22 in sixty. */
const mostApart = 3;

/** Greatest factor by which volumes miss a power of ten, or the price, that is named: 2,400 times may be 1,000. */
const nearly = 2.5;

/** Least price that is named as the factor of a turnover. */
const leastPrice = 20;

/** A longer step between rows is a gap, across which a level may change; weekends are none. */
const longGap = 5 * day;

/** Rows for each change of level from which changes are the market's habit, such as at the open of each day. */
const habit = 2000;

/** Rows within less time show no hours of another day, at which a session opens and closes: 100 rows of five minutes. */
const shortest = 2 * day;

/**
 * Growth of the range from which a change of level is one of the market, as at its open, and that from which one of so many
 * times is: prices that move four times as far explain 100 times the volume, not 1,000.
 */
const [livelier, farLivelier, farHigher] = [3, 10, 300];

/** `times` is the factor of ten volumes each, and `factor` that of more. */
type Level = HeldPlace & { readonly times: number; readonly factor: number; readonly price: number };

/** Finds volumes that are in another unit than those before them. */
export class VolumeLevels extends Detector {
  static readonly doubts = [levelDoubt];
  readonly #levels = new HeldPlaces<Level>();

  judge(from: number, to: number): void {
    const { volume } = this.window.columns;
    for (let at = Math.max(from, levelRows); at < to; at++) {
      const value = volume[at] as number;
      const before = volume[at - 1] as number;
      if (value >= levelTimes * before || levelTimes * value <= before) this.#compare(at);
    }
  }

  end(): void {
    const { all } = this.#levels;
    const { rows, length } = this.window;
    if (isHabit(all.length, rows, habit) || (length < day && rows * length < shortest)) return;
    for (const level of all) {
      const odds = Math.max(level.times, 1 / level.times) ** 4 / levelTimes;
      const unusual = Math.max(level.factor, 1 / level.factor);
      const words = `${thousands(Math.round(unusual))} times ${level.times > 1 ? 'higher' : 'lower'}`;
      const detail = `volumes are ${words} from here on${nameFactor(unusual, level.price)}`;
      this.suspect(levelDoubt, level, { detail, odds, unusual });
    }
  }

  /** Compares the ten volumes from a row on with the ten before. */
  #compare(at: number): void {
    const { length, count, direction, columns } = this.window;
    const { start, volume } = columns;
    if (at + levelRows > count) return;
    const isUp = (volume[at] as number) > (volume[at - 1] as number);
    const isEven = this.#exceeds(at, isUp, levelRows, levelTimes);
    if (!isEven && !this.#differs(at, isUp)) return;
    const span = Math.abs((start[at] as number) - (start[at - 1] as number));
    if (span > Math.max(longGap, length)) return;
    const measure = (rows: number): number =>
      Math.exp((meanLog(volume, at, at + rows) - meanLog(volume, at - rows, at)) * direction);
    // As many on both sides, since a session has its busy and quiet hours.
    const most = Math.min(factorRows, at, count - at);
    const place = findPlace(this.window, direction === 1 ? at : at - 1);
    const price = columns.close[at] as number;
    const ofMore = measure(most);
    const times = isEven ? measure(levelRows) : ofMore;
    const lasting = Math.max(ofMore, 1 / ofMore);
    if ((!isEven && lasting < uneven.times) || this.#isLivelier(at, isUp, lasting)) return;
    const lasts = Math.max(ofMore / times, times / ofMore) <= mostApart;
    this.#levels.add({ ...place, times, factor: lasts ? ofMore : times, price });
  }

  /** Returns whether each of some volumes from a row on is so many times each of those before it, or the other way round. */
  #exceeds(at: number, isUp: boolean, rows: number, times: number): boolean {
    const { volume } = this.window.columns;
    const [one, other] = isUp ? [at, at - rows] : [at - rows, at];
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (let more = 0; more < rows; more++) {
      const [high, low] = [volume[one + more] as number, volume[other + more] as number];
      least = Math.min(least, high);
      most = Math.max(most, low);
      if (!(low > 0 && least >= times * most)) return false;
    }
    return true;
  }

  /** Returns whether volumes before and after a row are of two levels, though some of each side are far from the others. */
  #differs(at: number, isUp: boolean): boolean {
    const { volume } = this.window.columns;
    const most = Math.min(factorRows, at, this.window.count - at);
    if (most < uneven.rows || !this.#exceeds(at, isUp, uneven.adjacent, uneven.apart)) return false;
    const [before, after] = [volume.slice(at - most, at).sort(), volume.slice(at, at + most).sort()];
    const [lower, higher] = isUp ? [before, after] : [after, before];
    const at70 = lower[Math.floor((1 - uneven.outliers) * most)] as number;
    const at30 = higher[Math.floor(uneven.outliers * most)] as number;
    return at30 >= uneven.apart * at70 && median(higher) >= uneven.times * median(lower);
  }

  /** Returns whether prices move more where volumes are so many times higher, as at the open of a session. */
  #isLivelier(at: number, isUp: boolean, times: number): boolean {
    const { high, low } = this.window.columns;
    let [before, after] = [0, 0];
    for (let near = 0; near < levelRows; near++) {
      before += (high[at - 1 - near] as number) - (low[at - 1 - near] as number);
      after += (high[at + near] as number) - (low[at + near] as number);
    }
    const growth = isUp ? after / before : before / after;
    return growth > (times < farHigher ? livelier : farLivelier);
  }
}

/** Returns the mean logarithm of some volumes: a single large one moves it less than their mean. */
function meanLog(volume: Float64Array, from: number, to: number): number {
  const known = volume.subarray(from, to).filter((value) => value > 0);
  return known.reduce((sum, value) => sum + Math.log(value), 0) / known.length;
}

/** Names what volumes of another level may be: of another unit, or turnovers, if they differ by about the price. */
function nameFactor(times: number, price: number): string {
  const isNear = (value: number): boolean => Math.max(times / value, value / times) <= nearly;
  const unit = 10 ** Math.round(Math.log10(times));
  const reasons = [
    ...(isNear(unit) ? [`in another unit: ${thousands(unit)} times`] : []),
    ...(price >= leastPrice && isNear(price) ? [`turnovers beside volumes: the price is ${price}`] : []),
  ];
  return reasons.length > 0 ? `, as ${reasons.join(', or ')}` : '';
}
