import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dateText } from '@candleproof/reports/words/format';
import { keepName, type PlannedPace, readKeptDays, readPace } from '../results/known-states.ts';
import { openForReading, type ResultsSource } from '../results/open-source.ts';
import { type StoreSize, usualRetention } from '../results/results-store.ts';
import { forecastSize } from '../results/size-forecast.ts';

/**
 * The days that slots are kept whole, and whether that is the default; bytes of the deep probes' runs beside the store;
 * the plan's daily growth, if there is a plan.
 */
type KeptDays = {
  readonly rawDays: number;
  readonly isUsual: boolean;
  readonly runs: number;
  readonly pace?: PlannedPace;
};

/** Describes the disk space of a store now and later, as lines of text; `now` in Unix ms. Throws as openForReading does. */
export async function describeStoreSize(source: ResultsSource, now: number): Promise<string> {
  const store = await openForReading(source);
  try {
    const keep = await store.state(keepName);
    const [kept, pace] = [readKeptDays(keep), readPace(keep)];
    const rawDays = kept ?? usualRetention.keepRawDays;
    // Deep runs lie with the monitor that made them.
    const runs = source.kind === 'folder' ? bytesBelow(join(source.folder, 'runs')) : 0;
    return formatStoreSize(await store.size(), { rawDays, isUsual: kept === undefined, runs, pace }, now);
  } finally {
    await store.close();
  }
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(folder, file)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

/** Words what is seen of a store, and what follows from it. */
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
