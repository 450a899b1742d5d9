import { methodName } from '../../../results/known-states.ts';
import { openForReading, type ResultsSource } from '../../../results/open-source.ts';
import type { ReportedPlan } from '../../monitor/plan.ts';
import { embedJson } from '../../words/escape.ts';
import { type MonthRecord, monthPath, readMonths } from '../month.ts';
import { compareTexts, slugify } from '../records.ts';
import type { SiteFolder } from './site-folder.ts';

/** Puts every month that a results store has into the site; one that is over stays as it was first reported. */
export async function publishMonths(source: ResultsSource, site: SiteFolder, now: number): Promise<void> {
  const store = await openForReading(source);
  try {
    const plan = (await store.state(methodName)) as ReportedPlan | undefined;
    for await (const month of readMonths(store, plan?.objectives ?? [], now)) {
      const path = `${monthPath(month)}${slugify(month.location)}.json`;
      const kept = site.piece('month', path);
      if (kept === undefined || tells(month, kept)) site.put(path, embedJson(month));
    }
  } finally {
    await store.close();
  }
}

/**
 * Returns whether a month outranks the kept one: the later one does, or the one with more slots, whatever their order.
 */
function tells(month: MonthRecord, kept: MonthRecord): boolean {
  const slots = ({ days }: MonthRecord): number => days.reduce((sum, { ran }) => sum + ran, 0);
  return month.to > kept.to || (month.to === kept.to && slots(month) > slots(kept));
}

/** The months of a site, the newest first. */
export function listMonths(site: SiteFolder): MonthRecord[] {
  const all = site.list('monitor').flatMap((slug) =>
    site.list(`monitor/${slug}`).flatMap((month) =>
      site
        .list(`monitor/${slug}/${month}`)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => readMonth(site, slug, month, name) ?? []),
    ),
  );
  return all.sort(
    (a, b) =>
      compareTexts(a.slug, b.slug) || compareTexts(b.month, a.month) || compareTexts(a.location, b.location),
  );
}

/** A month that lies elsewhere than it says would be drawn there. */
function readMonth(site: SiteFolder, slug: string, month: string, name: string): MonthRecord | undefined {
  const kept = site.piece('month', `monitor/${slug}/${month}/${name}`);
  return kept?.slug === slug && kept.month === month ? kept : undefined;
}
