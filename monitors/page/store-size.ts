import { dateText } from '@candleproof/reports/words/format';
import type { PlannedPace } from '../results/known-states.ts';
import type { StoreSize } from '../results/results-store.ts';
import { forecastSize } from '../results/size-forecast.ts';

/**
 * The days that slots are kept whole, and whether that is the default; bytes of the deep probes' runs beside the store;
 * the plan's daily growth, if there is a plan.
 */
export type KeptDays = {
  readonly rawDays: number;
  readonly isUsual: boolean;
  readonly runs: number;
  readonly pace?: PlannedPace;
};

/** Describes the disk space of a store now and later, as lines of text; `now` in Unix ms. */
export function formatStoreSize(
  seen: StoreSize,
  { rawDays, isUsual, runs, pace }: KeptDays,
  now: number,
): string {
  const size = { ...seen, ...pace };
  const { bytesPerMonth, flatFrom, bytesThen, bytesPerMonthThen } = forecastSize(size, rawDays, now);
  const { bytes, freeBytes, series, slotsPerDay, requestsPerDay, firstSlot } = size;
  const rows: (readonly [name: string, text: string | false])[] = [
    ['now', `${mega(bytes)}${freeBytes > 0 ? `, of which ${mega(freeBytes)} will be used again` : ''}`],
    ['deep runs', runs > 0 && `${mega(runs)} beside it, kept as long as slots are`],
    [
      'a day',
      `${Math.round(slotsPerDay)} slots, ${Math.round(requestsPerDay)} requests of ${series} series${pace ? ', as configured' : ''}`,
    ],
    ['a month', `${mega(bytesPerMonth)} more`],
    ['kept whole', `${rawDays} days${isUsual ? ', unless a config says otherwise' : ''}`],
    ['oldest slot', firstSlot !== undefined && dateText(firstSlot)],
    [
      'flat from',
      flatFrom !== undefined &&
        bytesThen !== undefined &&
        `${dateText(flatFrom)}, at ${mega(bytesThen)} and ${mega(bytesPerMonthThen)} more a month`,
    ],
  ];
  return rows.map(([name, text]) => (text === false ? '' : `${name.padEnd(13)}${text}\n`)).join('');
}

function mega(bytes: number): string {
  const megabytes = bytes / 1e6;
  return `${megabytes >= 100 ? Math.round(megabytes) : megabytes.toFixed(megabytes >= 1 ? 1 : 2)} MB`;
}
