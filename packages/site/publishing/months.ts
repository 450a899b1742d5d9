import type { ResultsSource } from '@candleproof/monitors/results/open-source';
import { embedJson } from '@candleproof/reports/words/escape';
import { type MonthRecord, monthPath, readMonthRecords } from '../month.ts';
import { compareTexts, slugify } from '../records.ts';
import type { SiteFolder } from './site-folder.ts';

/** Adds every month in a results store to the site; a finished month stays as first reported. */
export async function publishMonths(source: ResultsSource, site: SiteFolder, now: number): Promise<void> {
  for await (const month of readMonthRecords(source, now)) {
    const path = `${monthPath(month)}${slugify(month.location)}.json`;
    const kept = site.piece('month', path);
    if (kept === undefined || tells(month, kept)) site.put(path, embedJson(month));
  }
}

/**
 * Returns whether a month replaces the kept one: a later end does, or the same end with more slots, or with as many and
 * more notes, in whatever order they come.
 */
function tells(month: MonthRecord, kept: MonthRecord): boolean {
  const slots = ({ days }: MonthRecord): number => days.reduce((sum, { ran }) => sum + ran, 0);
  const notes = ({ incidents }: MonthRecord): number =>
    incidents.reduce((sum, incident) => sum + (incident.notes?.length ?? 0), 0);
  if (month.to !== kept.to) return month.to > kept.to;
  return slots(month) > slots(kept) || (slots(month) === slots(kept) && notes(month) > notes(kept));
}

/** Lists the months of a site, newest first. */
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

/** Reads a month; ignores one that belongs to another folder, since it would be drawn there. */
function readMonth(site: SiteFolder, slug: string, month: string, name: string): MonthRecord | undefined {
  const kept = site.piece('month', `monitor/${slug}/${month}/${name}`);
  return kept?.slug === slug && kept.month === month ? kept : undefined;
}
