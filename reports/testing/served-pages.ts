import { createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { launchBrowser } from './browser.ts';

export type View = { readonly width?: number; readonly colorScheme?: 'light' | 'dark' };

/** Pages served on loopback to a Chromium; `asked` are the paths that were asked for since the start. */
export type ServedPages = {
  readonly origin: string;
  readonly asked: string[];
  open(name: string, view?: View): Promise<Page>;
  close(): Promise<void>;
};

/** A page of its own: some Chromiums refuse to go where a 404 has no body. */
const nothing = '<!doctype html><html lang="en"><title>Nothing</title><link rel="icon" href="data:,"></html>';

/** The pages under their names, `/name`, an empty one as `/nothing`; everything else is 404. */
export async function servePages(pages: Readonly<Record<string, string>>): Promise<ServedPages> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const html = { nothing, ...pages }[url.slice(1)];
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html ?? 'no such page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const browser = await launchBrowser();
  return {
    origin,
    asked,
    async open(name, { width = 1280, colorScheme = 'light' } = {}) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`${origin}/${name}`);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

export async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
}

/** What axe finds at level AA of WCAG 2.2 and by its own advice, one line each. */
export async function flaws(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map((each) => `${each.id}: ${each.nodes[0]?.html}`);
}
