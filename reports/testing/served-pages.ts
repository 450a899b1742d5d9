import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { launchBrowser } from './browser.ts';

export type View = {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** Disables the page's policy, so that anything that it would block runs. */
  readonly bypassCSP?: boolean;
};

/** Returns the text of a page by its path; undefined if there is none. */
export type PageOf = (path: string) => string | undefined;

/** Pages served on loopback to a Chromium; `requested` lists the paths requested since the start. */
export type ServedPages = {
  readonly origin: string;
  readonly requested: string[];
  open(name: string, view?: View): Promise<Page>;
  close(): Promise<void>;
};

/** An empty page: some Chromiums do not navigate to a 404 without a body. */
const nothing = '<!doctype html><html lang="en"><title>Nothing</title><link rel="icon" href="data:,"></html>';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves the pages under their names, `/name`, an empty one as `/nothing`; everything else is 404. */
export async function servePages(pages: Readonly<Record<string, string>> | PageOf): Promise<ServedPages> {
  const requested: string[] = [];
  const pageOf: PageOf = typeof pages === 'function' ? pages : (name) => ({ nothing, ...pages })[name];
  const server = createServer(({ url = '' }, response) => {
    requested.push(url);
    const { pathname } = new URL(url, 'http://localhost');
    const text = pageOf(decodeURIComponent(pathname.slice(1)));
    const type = types[extname(pathname)] ?? 'text/html; charset=utf-8';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type });
    response.end(text ?? 'no such page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const browser = await launchBrowser();
  return {
    origin,
    requested,
    async open(
      name,
      { width = 1280, colorScheme = 'light', javaScriptEnabled = true, bypassCSP = false } = {},
    ) {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled, bypassCSP });
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

/** Opens every folded part of the page. */
export async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const element of all) element.setAttribute('open', '');
  });
}

/** Narrow and light, where most is cramped; wide and dark, where only colors differ. A thorough run checks all of both. */
const views: readonly View[] = process.env.CANDLEPROOF_THOROUGH
  ? [360, 1440].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    )
  : [
      { width: 360, colorScheme: 'light' },
      { width: 1440, colorScheme: 'dark' },
    ];

/** The smallest text that is legible to most. */
const smallest = 11;

/** Widths at which texts of drawings may shrink: of phones, of a tablet, and on both sides of where layouts change. */
const widths = [320, 360, 543, 548, 700, 830, 1023, 1440];

/** Measures a text in pixels of the screen: drawings are scaled. */
const measureTexts = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!isText || !element.checkVisibility() || element.closest('.visually-hidden, title, desc, script, style')) return [];
  const { a = 1, b = 0, c = 0, d = 1 } = element.getScreenCTM?.() ?? {};
  const size = Number.parseFloat(getComputedStyle(element).fontSize) * Math.min(Math.hypot(a, b), Math.hypot(c, d));
  return [{ size, text: element.textContent.trim().slice(0, 40), isDrawn: element instanceof SVGElement }];
})`;

type MeasuredText = { readonly size: number; readonly text: string; readonly isDrawn: boolean };

/** Lists texts of a page that are too small at any width. */
export async function findSmallTexts(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const small = (await page.evaluate<MeasuredText[]>(measureTexts)).find(({ size }) => size < smallest);
    if (small) found.push(`at ${width} pixels “${small.text}” has ${small.size.toFixed(1)}`);
  }
  return found;
}

/** Returns the sizes of the texts of a page that are not drawn. */
export async function listTextSizes(page: Page): Promise<number[]> {
  const texts = await page.evaluate<MeasuredText[]>(measureTexts);
  return [...new Set(texts.filter(({ isDrawn }) => !isDrawn).map(({ size }) => size))];
}

/** Finds areas in plain amber, which an eye without green cones takes for red ones: they are hatched, have a sign, or are lower. */
const findAmber = `(() => {
  if (getComputedStyle(document.documentElement).getPropertyValue('--warn') === '') return [];
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--warn)';
  const amber = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll('body :is(rect, path, circle), body i:not(.mark), td, th')]
    .filter((element) => !element.closest('pattern, .key'))
    .filter((element) => {
      const { fill, backgroundColor } = getComputedStyle(element);
      return (element instanceof SVGElement ? fill : backgroundColor) === amber;
    })
    .map((element) => 'plain amber: ' + element.outerHTML.slice(0, 80));
})()`;

/** Lists what axe finds in the page, all unfolded, in each view, what is wider than the window, and texts that are too small. */
export async function troubleInViews(page: Page, tags?: readonly string[]): Promise<string[]> {
  await unfold(page);
  const found: string[] = [];
  for (const [index, { width = 360, colorScheme = 'light' }] of views.entries()) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const rules = index > 0 && !process.env.CANDLEPROOF_THOROUGH ? ['color-contrast'] : undefined;
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth);
    const all = [...(await flaws(page, tags, rules)), ...(wide > width ? [`the page is ${wide} wide`] : [])];
    found.push(...all.map((flaw) => `${colorScheme} at ${width} pixels: ${flaw}`));
  }
  return [...found, ...(await findSmallTexts(page)), ...(await page.evaluate<string[]>(findAmber))];
}

/** More stops than any page has. */
const mostStops = 2000;

/**
 * Walks through a page by the tabulator key, and lists what is wrong: a first stop that does not lead to the content, a stop
 * that is not seen, and what the key does not reach.
 */
export async function findKeyboardTrouble(page: Page): Promise<string[]> {
  const trouble: string[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate<string>(`(() => {
      const element = document.activeElement;
      if (element === document.body || element.dataset.walked !== undefined) return 'end';
      element.dataset.walked = '';
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && element.checkVisibility();
      return (isSeen ? 'seen: ' : 'not seen: ') + element.outerHTML.slice(0, 80);
    })()`);
    if (found === 'end') break;
    if (stop === 0 && !found.includes('class="skip"')) trouble.push(`first: ${found}`);
    if (!found.startsWith('seen')) trouble.push(found);
  }
  const left = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, summary, input, [tabindex="0"]')]
    .filter((element) => element.checkVisibility() && element.type !== 'radio' && element.dataset.walked === undefined)
    .map((element) => 'not reached: ' + element.outerHTML.slice(0, 80))`);
  return [...trouble, ...left];
}

/** Tags of axe for level AA of WCAG 2.2. */
export const levelAA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

let axeSource: string | undefined;

/** Loads axe into a page, once: the builder would load a text of twice the length twice for each analysis. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in globalThis")) return;
  axeSource ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.evaluate(`${axeSource};void 0`);
}

/** Lists violations that axe finds by the rules of these tags, or by these rules alone, one line each. */
export async function flaws(
  page: Page,
  tags: readonly string[] = [...levelAA, 'best-practice'],
  rules?: readonly string[],
): Promise<string[]> {
  await bringAxe(page);
  // Passed elements are omitted and style sheets not fetched again: both take longer than the checks. Axe calls a run
  // inside the page legacy; it skips frames of other origins, and our pages have none.
  const builder = new AxeBuilder({ page, axeSource: 'void 0' }).setLegacyMode().options({
    resultTypes: ['violations'],
    preload: false,
    runOnly: rules ? { type: 'rule', values: [...rules] } : { type: 'tag', values: [...tags] },
  });
  const { violations } = await builder.analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
}
