import type { Example, Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { Picture } from '@candleproof/law/rules/breach';
import { expect, test } from '@playwright/test';
import { copyScript } from '../run/page.ts';
import { hourly } from '../testing/candles.ts';
import { hostile } from '../testing/hostile.ts';
import { sampleExchanges } from '../testing/sample-exchanges.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { renderHtml } from './html.ts';

/** A run in which the inverted answer lacks the third of four plain candles. */
function missingRun(): Run {
  const [finding] = sampleRun.findings;
  const plain = hourly(4);
  const lost = plain.slice(2, 3).map(({ start, end }) => ({ start, end }));
  const example: Example = {
    exchange: 1,
    pointer: '',
    expected: 'the 4 closed candles of the plain answer',
    actual: '3 closed candles, 3 of them the same intervals',
    candles: plain.filter(({ start }) => start !== lost[0]?.start),
    picture: { missing: lost, other: { name: 'plain', own: 'inverted', candles: plain } },
    beside: [
      { exchange: 0, pointer: '/2' },
      { exchange: 1, pointer: '/1' },
    ],
  };
  return {
    ...sampleRun,
    findings: finding ? [{ ...finding, rule: 'inversion/same-candles', examples: [example] }] : [],
  };
}

const missingExchanges = sampleExchanges.map((sampleExchange, index): Exchange => {
  const rows = hourly(4).filter((_, row) => index === 0 || row !== 2);
  const text = JSON.stringify(rows.map(({ start }) => ({ start })));
  return sampleExchange.response
    ? { ...sampleExchange, response: { ...sampleExchange.response, body: { text, encoding: 'utf8' } } }
    : sampleExchange;
});

/** Returns the page without the embedded run. */
function pageBody(html: string): string {
  return html.slice(0, html.indexOf('<script type="application/json"'));
}

test('a page holds no script but the one that copies, no address to fetch and no handler', () => {
  const icon = /<link rel="icon" href="data:image\/svg\+xml,[^"]*">/;
  const whole = pageBody(renderHtml(sampleRun));
  expect(whole).toMatch(icon);
  const body = whole.replace(icon, '');
  expect(body).not.toMatch(/<(script|img|link|iframe|object|embed|base|form)\b/i);
  const [, ...scripts] = renderHtml(sampleRun).split('<script');
  expect(scripts).toEqual([
    expect.stringContaining('id="run"'),
    expect.stringContaining(`>${copyScript}</script>`),
  ]);
  expect(body).not.toMatch(/<[^>]*\s(on\w+|style|src)=/i);
  expect([...body.matchAll(/href="([^"]*)"/g)].every(([, to]) => to?.startsWith('#'))).toBe(true);
});

test('the run reads back from its page', () => {
  const html = renderHtml(sampleRun);
  const [, embedded = ''] = /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(html) ?? [];
  const { rules, ...rest } = JSON.parse(embedded);
  const { rules: judged, ...run } = JSON.parse(JSON.stringify(sampleRun));
  expect(rest).toEqual(run);
  expect(rules).toHaveLength(judged.length);
  for (const [at, rule] of rules.entries()) expect(judged[at]).toMatchObject(rule);
});

test('the same run gives the same page', () => {
  expect(renderHtml(sampleRun)).toBe(renderHtml(structuredClone(sampleRun)));
});

test('every finding is reported with its rule, values and replay', () => {
  const body = pageBody(renderHtml(sampleRun));
  for (const { rule } of sampleRun.findings) expect(body).toContain(`<code>${rule}</code>`);
  expect(body).toContain('within [0.04805, 0.04822]');
  expect(body.replace(/<\/?i>/g, '')).toContain(
    'npx candleproof replay reports/out/testnet &#39;candle/high-is-highest&#39;',
  );
  expect(body.match(/<article /g)).toHaveLength(sampleRun.findings.length);
});

test('a finding says how it stands to the baseline', () => {
  const cards = pageBody(renderHtml(sampleRun)).split('<article ');
  const findCard = (rule: string): string | undefined =>
    cards.find((card) => card.includes(`<code>${rule}</code>`));
  expect(findCard('authentication/key-is-required')).toContain(
    'Accepted until 2026-01-31: agreed with the operator',
  );
  expect(findCard('history/complete')).toContain('known failing, expired');
  expect(findCard('candle/high-is-highest')).not.toContain('known');
});

test('every finding has a text for the operator, its lines kept', () => {
  const body = pageBody(renderHtml(sampleRun));
  expect(body.match(/<pre id="text-\d+">### /g)).toHaveLength(sampleRun.findings.length);
  expect(body).toMatch(
    /<pre id="text-1">### [^<]*\n- \*\*Requested:\*\*[^<]*\n- \*\*Repeat this request:\*\* `curl [^<]*<\/pre>/,
  );
});

test('a finding shows its request, the head of its response, a command and what proves its rule', () => {
  const body = pageBody(renderHtml(sampleRun, sampleExchanges));
  const card = body
    .split('<article ')
    .slice(1)
    .find((article) => article.includes('<code>candle/average-is-within-range</code>'));
  expect(card).toContain('GET https://api.testnet.example/dex/v2/pools/conversionRates/1?from=1762905600');
  expect(card).toContain('poolId <b>1</b>, from <b>1762905600 (2025-11-12 00:00:00 UTC)</b>');
  expect(card).toContain('2025-11-12 13:05:08.250 UTC, with the key');
  expect(card).toContain('x-request-id: request-4');
  expect(card).toContain('curl --globoff');
  expect(card).toContain('<b>Proven by</b> F31 ');
});

test('a finding leads to its raw exchange, which is shown and not obeyed', () => {
  const body = pageBody(renderHtml(sampleRun, sampleExchanges));
  const targets = [...body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
  expect(targets.filter((target) => !body.includes(`id="${target}"`))).toEqual([]);
  expect(targets).toContain('exchange-4');
  const [, raw = ''] = body.split('<div id="exchange-4">');
  expect(raw).toContain('HTTP/1.1 200 OK\nContent-Type: application/json');
  expect(raw).toContain('more characters, in exchanges.har');
  expect(body).not.toContain('</script>');
});

test('the first thing below the verdict is what is broken, by what it costs', () => {
  const body = pageBody(renderHtml(sampleRun));
  const [, causes = ''] = body.split('<section class="causes"');
  const costs = [...causes.matchAll(/<th scope="rowgroup"[^>]*>([^<]+)/g)].map((match) => match[1]);
  expect(costs[0]).toBe('Prices are wrong');
  expect(costs.at(-1)).toBe('Known to the baseline');
  expect(body.indexOf('class="causes"')).toBeLessThan(body.indexOf('id="findings"'));
  expect(pageBody(renderHtml(cleanRun))).not.toContain('class="causes"');
});

test('a page is headed by its cause, and its verdict stands beneath with one pair of shares', () => {
  const body = pageBody(renderHtml(sampleRun));
  expect(body).toContain('<h1>Averages lie outside low and high, and 7 more causes</h1>');
  const [, scores = ''] = /<dl class="scores">(.*?)<\/dl>/s.exec(body) ?? [];
  const texts = scores
    .replace(/<svg.*?<\/svg>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  expect(texts).toContain('Musts 7 fail , 1 known to fail, 5 hold 2 of 15 not judged');
  expect(texts).toContain('Requests 21 of 48');
  expect(body).toContain('<button type="button" data-copy="text-1" hidden>Copy report</button>');
  expect(body).toContain('npx candleproof replay DIR 1<');
  for (const id of ['report-1', 'request-1']) expect(body).toContain(`id="${id}"`);
  expect(body).toContain('9 causes, 9 of them not identified, 9 rules, 9 findings. A finding is');
  expect(body).not.toMatch(/\d of \d+ passed/);
});

test('a missing candle is drawn and named at the head of the page, beside the answer that has it', () => {
  const body = pageBody(renderHtml(missingRun(), missingExchanges));
  const head = body.slice(0, body.indexOf('<main id="main">'));
  expect(head).toContain('2025-11-12 02:00 UTC is in the plain answer and not in the inverted one.');
  expect(head).toMatch(/<rect class="lost"[^>]*><title>2025-11-12 02:00 UTC is missing<\/title>/);
  expect(head).toContain(
    'Seen in <a href="#exchange-1-at-1">exchange 1</a>, beside <a href="#exchange-0-at-2">exchange 0</a>',
  );
  expect(body).toContain('<mark id="exchange-0-at-2">{&quot;start&quot;:1762912800}</mark>');
  expect(body).toContain('<mark id="exchange-1-at-1">{&quot;start&quot;:1762909200}</mark>');
});

test('counters and clocks have their pictures', () => {
  const [finding] = sampleRun.findings;
  const draw = (picture: Picture): string =>
    renderHtml({
      ...sampleRun,
      findings: finding ? [{ ...finding, examples: [{ ...(finding.examples[0] as Example), picture }] }] : [],
    });
  const counts = [0, 1, 2].map((exchange) => ({
    exchange,
    expected: exchange,
    actual: exchange === 2 ? 4 : exchange,
  }));
  expect(draw({ counts })).toContain('Exchange 2 shows 4 requests used in place of 2');
  const instants = [
    { name: 'The Date header', at: 1762909200 },
    { name: 'our clock', at: 1762912800 },
  ];
  expect(draw({ instants })).toContain('The Date header is 1 h before our clock');
});

test('a section that nobody judged is not scored as failed', () => {
  expect(renderHtml(inconclusiveRun)).toContain('<span class="score">1 not judged</span>');
});

test('a run that decided nothing leads with what to do next, its rules folded', () => {
  const body = pageBody(renderHtml(inconclusiveRun, sampleExchanges));
  expect(body).toMatch(/<p class="next"><b>Next:<\/b> Check that the key/);
  expect(body).not.toContain('class="chapter" open');
  expect(body).toContain('id="exchange-0"');
});

test('among findings of one consequence those that break a must come first', () => {
  const groups = renderHtml(sampleRun).split('<h3 class="cost">').slice(1);
  expect(groups.length).toBeGreaterThan(3);
  for (const group of groups) {
    const levels = [...group.matchAll(/<article class="finding (\w+)/g)].map((match) => match[1]);
    expect(levels).toEqual(levels.toSorted());
  }
});

test('a rule that was not judged is reported with its reason', () => {
  expect(pageBody(renderHtml(sampleRun))).toContain('no closed week was requested');
});

test('questions of the document stay out of the matrix', () => {
  const html = renderHtml(sampleRun);
  const matrix = html.slice(html.indexOf('id="matrix"'), html.indexOf('id="observations"'));
  expect(matrix).not.toContain('candle/end-stamps');
  expect(matrix).toContain('candle/all-fields-present');
});

test('requests are reported as a share of the month', () => {
  expect(renderHtml(sampleRun)).toContain('0.21 % of a month of 10,000');
});

test('a run without findings says whether that is good news', () => {
  expect(renderHtml(cleanRun)).toContain('every rule that could be tested holds');
  const inconclusive = renderHtml(inconclusiveRun);
  expect(inconclusive).toContain('<h1>The API key was refused (status 403)</h1>');
  expect(inconclusive).toContain('That does not mean that it is healthy');
});

test('ids of a page are unique', () => {
  const ids = [...pageBody(renderHtml(sampleRun)).matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('hostile text is shown and not obeyed', () => {
  const body = pageBody(
    renderHtml({ ...sampleRun, target: { name: hostile.script, baseUrl: hostile.attribute } }),
  );
  expect(body).toContain('&lt;/script&gt;&lt;script&gt;');
  expect(body).toContain('&quot;&gt;&lt;img src=');
});
