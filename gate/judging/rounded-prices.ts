import { type Detector, type Doubt, growPlace, type HeldPlace, HeldPlaces, suspect } from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const roundedDoubt: Doubt = {
  ...{ id: 'price/rounded', kind: 'rounded' },
  statement: 'No closes lack the last digit of those before and after them for a hundred rows and more.',
};

/** Rows without the last digit, and different closes among them, from which they are suspected. */
const [fewestRows, fewestCloses] = [100, 20];

/** Share of the other rows that have the digit: of ten digits one is 0, and of ticks of five every second. */
const usualShare = 0.8;

/** Rows that lack the digit by chance now and then. */
const minRounded = 8;

/** One row in so many is looked at while rows have the digit. */
const sampled = 4;

/** Most decimals that are looked at, and what is left of a whole number of the last digit by the arithmetic of doubles. */
const [mostDecimals, slack] = [10, 1e-6];

/** Finds rows whose prices were rounded, such as by another source, between rows whose prices were not. */
export class RoundedPrices implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  /** Number of last but one digits in a price; undefined until the first rows show it. */
  #coarse: number | undefined;
  /** Number of rows so far without the last digit. */
  #run = 0;
  #place: HeldPlace | undefined;
  #closes = new Set<number>();
  readonly #places = new HeldPlaces();
  /** Number of rows that have the last digit, and of those that lack it now and then. */
  #fine = 0;
  #other = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    const { close } = this.#window.columns;
    this.#coarse ??= this.#measure(from, to);
    const coarse = this.#coarse;
    let run = this.#run;
    for (let at = from; at < to; at += run === 0 ? sampled : 1) {
      const value = (close[at] as number) * coarse;
      const rest = value - Math.floor(value + 0.5);
      if (rest < slack && rest > -slack) {
        if (++run >= minRounded && this.#fine > 0) this.#extend(at);
      } else {
        this.#fine++;
        this.#other += run < minRounded ? run : 0;
        if (run >= minRounded) this.#finish();
        run = 0;
      }
    }
    this.#run = run;
  }

  /** Newer prices may have fewer digits for good, as those after the last dividend of adjusted ones. */
  end(): void {
    if (this.#fine < usualShare * (this.#fine + this.#other)) return;
    for (const place of this.#places.all) {
      const detail = `${place.rows} closes in a row lack the last digit of the others, as rounded ones do`;
      this.#found.add(suspect(roundedDoubt, place, { detail, odds: Number.POSITIVE_INFINITY }));
    }
  }

  #measure(from: number, to: number): number {
    const closes = this.#window.columns.close.subarray(from, to);
    const decimals = Array.from({ length: mostDecimals }, (_, at) => at).find((at) =>
      closes.every((close) => isWhole(close * 10 ** at)),
    );
    return 10 ** ((decimals ?? mostDecimals) - 1);
  }

  #extend(at: number): void {
    this.#place = growPlace(this.#place, this.#window, at - minRounded + 1, at);
    if (this.#closes.size < fewestCloses) this.#closes.add(this.#window.columns.close[at] as number);
  }

  #finish(): void {
    const place = this.#place;
    const isTelling = (place?.rows ?? 0) >= fewestRows && this.#closes.size >= fewestCloses;
    if (place && isTelling) this.#places.add(place);
    this.#place = undefined;
    this.#closes.clear();
  }
}

function isWhole(value: number): boolean {
  const rest = value - Math.round(value);
  return rest < slack && rest > -slack;
}
