import { readMonths, type WatchedMonth } from '@candleproof/monitors/page/months';
import type { ResultsSource } from '@candleproof/monitors/results/open-source';
import type { Indicator } from '@candleproof/monitors/results/probe-record';
import { slugify } from './records.ts';

/** A month of a target from one location: month.json of the site. */
export type MonthRecord = WatchedMonth & { readonly slug: string };

/** Words an indicator; for correctness, never more than what was judged. */
export function indicatorInWords({ musts }: Pick<MonthRecord, 'musts'>, indicator: Indicator): string {
  if (indicator !== 'correctness') return indicator;
  return `no breach of the ${musts ? `${musts.judged} of ${musts.of} ` : ''}musts that its light probes judge`;
}

/** Returns the path of a month's page. */
export function monthPath({ slug, month }: Pick<MonthRecord, 'slug' | 'month'>): string {
  return `monitor/${slug}/${month}/`;
}

/** Reads the months of a store, as readMonths does, with the names of their folders. */
export async function* readMonthRecords(source: ResultsSource, now: number): AsyncGenerator<MonthRecord> {
  for await (const { target, location, ...rest } of readMonths(source, now))
    yield { target, location, slug: slugify(target), ...rest };
}
