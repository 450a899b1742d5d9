import { embedJson } from '../words/escape.ts';
import { exchangeFiles } from './pages/exchange-page.ts';
import { runPage } from './pages/run-page.ts';
import { runPath } from './paths.ts';
import type { PublishedRun } from './published-run.ts';
import type { SiteFile } from './site-records.ts';

/** Returns the permanent files of a run: run.json, its page, and every exchange as entry and page. */
export function runFiles(published: PublishedRun): SiteFile[] {
  const { run, id, slug } = published;
  const path = runPath(slug, id);
  return [
    [`${path}run.json`, embedJson(run)],
    [`${path}index.html`, runPage(published)],
    ...published.kept.flatMap((each) => exchangeFiles(published, each)),
  ];
}
