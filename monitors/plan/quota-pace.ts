import type { MonthAccount } from '@candleproof/law/planning/allowance';
import { hour } from '../results/calendar.ts';
import { forecastKey, type KeyForecast, type KeyReading } from './key-forecast.ts';

/** Readings are kept for two days: of the last one the pace is counted, from a reading before it. */
const longest = 48 * hour;
/** Between two readings that are kept, in ms. */
const readEvery = hour / 4;

/** Measures how fast the keys' months are used, by any user. */
export class QuotaPace {
  readonly #readings = new Map<string, readonly KeyReading[]>();

  /** The counters of a key at an instant (Unix ms), each later than the one before. */
  note(key: string, { limit, remaining, reset }: MonthAccount, at: number): void {
    const monthReadings = (this.#readings.get(key) ?? []).filter(
      (keyReading) =>
        keyReading.reset === reset &&
        keyReading.limit === limit &&
        keyReading.at <= at &&
        at - keyReading.at <= longest,
    );
    const isDue = at - (monthReadings.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= readEvery;
    this.#readings.set(
      key,
      isDue ? [...monthReadings, { at, limit, remaining, additional: 0, reset }] : monthReadings,
    );
  }

  /** Forecasts a key from its counters at `now` on, as a report of the same counters does. */
  forecast(
    key: string,
    account: MonthAccount,
    reserve: number,
    planned: number | undefined,
    now: number,
  ): KeyForecast | undefined {
    const newest = { ...account, at: now, additional: 0 };
    return forecastKey(newest, this.#readings.get(key) ?? [], reserve, planned);
  }
}
