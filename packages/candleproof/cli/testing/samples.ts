import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';

const files = ['docs/sample/BTC-5m.csv', 'docs/sample/BTC-1h.csv'];
const recording = 'tests/fixtures/mitmproxy-f31.har';

/** Makes the pages of docs/sample, and a picture of one, from commands that run in `folder`; keyed by file. */
export async function makeSamples(folder: string): Promise<Readonly<Record<string, string>>> {
  const page = async (name: string, ...args: string[]): Promise<string> => {
    const out = join(folder, name);
    await called([...args, '--out', out]);
    return readFileSync(join(out, 'index.html'), 'utf8').replaceAll(out, 'reports/out/sample');
  };
  const gate = await page('gate', 'gate', ...files, '--now', '2026-11-22T00:00:00Z');
  return {
    'docs/sample/gate.html': gate,
    'docs/sample/check.html': await page('check', 'judge', recording),
    'docs/sample/damage.svg': drawPicture(gate),
  };
}

/** Draws the headline of a page and its first candles as one picture, in the page's own colors. */
function drawPicture(page: string): string {
  const drawing = find(page, /<svg class="candles".*?<\/svg>/s);
  const words = (pattern: RegExp): string =>
    find(page, pattern)
      .replaceAll(/<[^>]*>/g, '')
      .trim();
  const headline = foldHeadline(words(/<h1>.*?<\/h1>/s));
  const top = 44 + 24 * headline.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${top + 330}" width="720" role="img" aria-label="${headline.join(' ')}">`,
    `<style>${pickRules(page)}
.title { font: 700 20px system-ui, sans-serif; fill: var(--fail); } .small { font: 13px system-ui, sans-serif; fill: var(--soft); }
/* The drawing is twice as large as on its page. */ .candles text { font-size: 7px; }</style>`,
    '<rect width="100%" height="100%" fill="var(--paper)"/>',
    `<rect width="720" height="${top}" fill="var(--fail-wash)"/><rect width="6" height="${top}" fill="var(--fail)"/>`,
    `<text class="small" x="20" y="22">Candleproof ${words(/<span class="kind">.*?<\/span>/s)}</text>`,
    ...headline.map((line, at) => `<text class="title" x="20" y="${48 + 24 * at}">${line}</text>`),
    drawing.replace(
      '<svg class="candles"',
      `<svg class="candles" x="20" y="${top + 4}" width="660" height="326"`,
    ),
    '</svg>\n',
  ].join('\n');
}

/** Returns the rules of a page's style sheet that candles need, without those for other media. */
function pickRules(page: string): string {
  const sheet = find(page, /(?<=<style>).*?(?=<\/style>)/s).replaceAll(
    /@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g,
    '',
  );
  const rules = sheet.match(/[^{}]+\{[^{}]*\}/g) ?? [];
  return rules
    .filter((rule) =>
      /^\s*(:root|\.(candles|candle|wick|body|up|down|offending|grid|band|base|pointer|beyond|end|end-name|actual-line|expected|dot|lost|off)\b)/.test(
        rule,
      ),
    )
    .map((rule) => rule.trim())
    .join('\n');
}

/** Folds a headline into lines of at most 54 characters. */
function foldHeadline(text: string): string[] {
  return text.match(/\S.{0,53}(?=\s|$)/g) ?? [];
}

function find(page: string, pattern: RegExp): string {
  const [found] = pattern.exec(page) ?? [];
  if (found === undefined) throw new Error(`the page has no ${pattern}`);
  return found;
}
