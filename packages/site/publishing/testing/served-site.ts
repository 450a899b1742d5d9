import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServedPages, servePages } from '@candleproof/reports/testing/served-pages';
import type { Page } from '@playwright/test';
import { publishSite } from '../publish-site.ts';
import { SiteFolder } from '../site-folder.ts';

/** Publishes the named paths as a site in a folder and serves it to a browser. */
export async function serveSample(paths: readonly string[], folder: string): Promise<ServedPages> {
  await publishSite(paths, new SiteFolder(folder), { now: Date.UTC(2026, 10, 22), all: false });
  return servePages((path) => {
    try {
      return readFileSync(
        join(folder, path.endsWith('/') || path === '' ? `${path}index.html` : path),
        'utf8',
      );
    } catch {
      return undefined;
    }
  });
}

/**
 * Returns the path of a run of the first target, as listed in the site's JSON; negative numbers count from the newest.
 */
export async function placeOfRun(page: Page, { origin }: ServedPages, run: number): Promise<string> {
  const { targets } = await (await page.request.get(`${origin}/api/index.json`)).json();
  return targets[0].runs.at(run).json.replace('run.json', '');
}
