import type { RuleResult, Run } from '@candleproof/law/judge/verdict';
import { catalogue, findConsequence } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { proofs } from '../kill-matrix/proofs.ts';
import { copyScript } from '../run/page.ts';
import { sampleExchanges } from '../testing/sample-exchanges.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { findKeyboardTrouble, listTextSizes, troubleInViews, unfold } from '../testing/served-pages.ts';
import { serveForTests } from '../testing/whole-page.ts';
import { bugReport } from './bug-report.ts';
import { renderHtml } from './html.ts';

const names = ['sample', 'clean', 'inconclusive'] as const;

/** A run in which ten faults break every rule that finds them, each in three operations. */
function tenFaults(): Run {
  const [sample] = sampleRun.findings;
  const faults = proofs.filter(({ number }) =>
    ['F19', 'F25', 'F31', 'F51', 'F55', 'F79', 'F94', 'F105', 'F142', 'F158'].includes(number),
  );
  const findings = faults.flatMap(({ foundBy }, exchange) =>
    foundBy.flatMap((rule) =>
      (['listTokens', 'listV2PoolCandles', 'getLatestV1PoolCandle'] as const).flatMap((operation) =>
        sample
          ? [
              {
                ...sample,
                rule,
                operation,
                examples: sample.examples.map((example) => ({ ...example, exchange })),
              },
            ]
          : [],
      ),
    ),
  );
  return { ...sampleRun, findings };
}

/** A run that breaks twelve rules in different ways. */
function twelveCauses(): Run {
  const [sample] = sampleRun.findings;
  const explained = catalogue.rules.filter(
    ({ id, consequence }) => consequence !== undefined && !id.startsWith('tokens/'),
  );
  const alike = Map.groupBy(explained, ({ id }) => findConsequence(id));
  const ids = [...alike.values()].flatMap((rules) => rules.slice(0, 2).map(({ id }) => id));
  const findings = ids.slice(0, 12).flatMap((rule) => (sample ? [{ ...sample, rule }] : []));
  const rules = ids.map((id) => ({ ...sampleRun.rules[1], id }) as RuleResult);
  return { ...sampleRun, findings, rules, transient: [] };
}

const pages = serveForTests(() => ({
  sample: renderHtml(sampleRun, sampleExchanges),
  twelve: renderHtml(twelveCauses()),
  ten: renderHtml(tenFaults()),
  clean: renderHtml(cleanRun),
  inconclusive: renderHtml(inconclusiveRun, sampleExchanges),
}));

test('no text of a target runs, and nothing is fetched', async () => {
  const page = await pages().open('nothing');
  pages().requested.length = 0;
  const left: string[] = [];
  page.on('request', (request) => left.push(request.url()));
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(`${pages().origin}/sample`, { waitUntil: 'networkidle' });
  expect(await page.title()).toMatch(/^✕ Averages lie outside low and high, and 7 more causes: testnet/);
  expect(left).toEqual([`${pages().origin}/sample`]);
  expect(pages().requested).toEqual(['/sample']);
  expect(refused).toEqual([]);
  expect(await page.locator('script:not([type="application/json"])').allTextContents()).toEqual([copyScript]);
  expect(await page.locator('img').count()).toBe(0);
  await page.close();
});

test('the report, the request and the command are copied by buttons, which stay hidden without a script', async () => {
  const page = await pages().open('sample');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name, exact: true }).first().click();
    return page.evaluate('navigator.clipboard.readText()');
  };
  expect(await copied('Copy report')).toMatch(/^### /);
  await page.locator('.repeat > summary').click();
  expect(await copied('Copy curl')).toMatch(/^curl /);
  await page.close();
  const plain = await pages().open('sample', { javaScriptEnabled: false });
  expect(await plain.locator('button:visible').count()).toBe(0);
  await plain.close();
});

test('the policy of a page stops a script that slipped in', async () => {
  const page = await pages().open('nothing');
  const slipped = renderHtml(sampleRun).replace(
    '<main id="main">',
    '<main id="main"><script>document.title="owned"</script>',
  );
  expect(slipped).toContain('<main id="main"><script>');
  await page.setContent(slipped);
  expect(await page.title()).not.toBe('owned');
  await page.close();
});

for (const name of names)
  test(`axe finds nothing in the ${name} page, and it is no wider than its window`, async () => {
    const page = await pages().open(name);
    expect(await troubleInViews(page)).toEqual([]);
    await page.close();
  });

test('drawings take the colors of a reader who forces them', async () => {
  const page = await pages().open('sample');
  await page.emulateMedia({ forcedColors: 'active' });
  const stroke = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (element) =>
          (
            element.ownerDocument.defaultView as unknown as {
              getComputedStyle(of: unknown): { stroke: string };
            }
          ).getComputedStyle(element).stroke,
      );
  const [usual, offending] = [
    await stroke('.candle:not(.offending) .wick'),
    await stroke('.candle.offending .wick'),
  ];
  expect(usual).not.toBe('rgb(22, 27, 31)');
  expect(offending).not.toBe(usual);
  await page.close();
});

test('a narrow phone shows drawings and causes at its full width', async () => {
  const page = await pages().open('sample', { width: 360 });
  await unfold(page);
  const figures = await page.locator('svg.candles').all();
  for (const figure of figures) expect((await figure.boundingBox())?.width).toBeGreaterThan(250);
  for (const locator of await page.locator('.causes tbody td').all()) {
    expect((await locator.boundingBox())?.width).toBeGreaterThan(250);
  }
  await page.close();
});

test('twelve causes are on the first screen, and each leads to its finding', async () => {
  const page = await pages().open('twelve', { width: 1280 });
  const rows = page.locator('.causes tbody tr');
  await expect(rows).not.toHaveCount(0);
  const last = await rows.last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(800);
  await rows.last().locator('a').click();
  await expect(page.locator('article :target')).toBeInViewport();
  await page.close();
});

test('ten faults at once are at most fifteen cards, the first of each consequence open', async () => {
  const page = await pages().open('ten');
  const cards = page.locator('.finding');
  expect(await cards.count()).toBeGreaterThanOrEqual(10);
  expect(await cards.count()).toBeLessThanOrEqual(15);
  await expect(page.locator('.finding > details[open]')).toHaveCount(
    await page.locator('#findings .cost').count(),
  );
  const row = await page.locator('.finding > details:not([open]) .places tr[id]').first().getAttribute('id');
  await page.goto(`${pages().origin}/ten#${row}`);
  await expect(page.locator(`#${row}`)).toBeInViewport();
  await page.close();
});

test('the first screen names nothing by halves', async () => {
  for (const width of [360, 1280]) {
    const page = await pages().open('twelve', { width });
    const ends = page.evaluate<string[]>(
      `[...document.querySelectorAll('.page-head *')].map((each) => getComputedStyle(each).textOverflow)`,
    );
    expect(await ends).not.toContain('ellipsis');
    await expect(page.locator('.causes')).not.toContainText('…');
    await page.close();
  }
});

test('one click leads from a finding to its raw exchange', async () => {
  const page = await pages().open('sample');
  await page.locator('#finding-1 .request a').click();
  await expect(page.locator('#exchanges div:target pre').first()).toBeVisible();
  await page.close();
});

test('texts have at most five sizes', async () => {
  const page = await pages().open('sample');
  await unfold(page);
  expect((await listTextSizes(page)).length).toBeLessThanOrEqual(5);
  await page.close();
});

test('a run that decided nothing is short', async () => {
  const page = await pages().open('inconclusive', { width: 1280 });
  const height = await page.locator('html').evaluate((html) => html.scrollHeight);
  expect(height).toBeLessThan(3500);
  await page.close();
});

test('candles of a finding are in sight, the one in question marked', async () => {
  const page = await pages().open('sample');
  const drawing = page.locator('.leading svg.candles');
  await expect(drawing.locator('.candle')).toHaveCount(7);
  await expect(drawing.locator('.candle.offending .body')).toBeVisible();
  await expect(drawing).toHaveAccessibleName('Candlestick drawing');
  await expect(drawing).toHaveAccessibleDescription(/^7 candles from 2025-11-12 00:00/);
  await page.close();
});

test('texts of a drawing stay inside of it', async () => {
  const page = await pages().open('sample');
  const outside = await page
    .locator('#findings .finding > details > div > figure svg.candles')
    .evaluateAll((drawings) =>
      drawings.flatMap((drawing) => {
        const sheet = drawing.getBoundingClientRect();
        return [...drawing.querySelectorAll('text')]
          .filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < sheet.left - 1 || box.right > sheet.right + 1 || box.bottom > sheet.bottom + 2;
          })
          .map((text) => text.textContent);
      }),
    );
  expect(outside).toEqual([]);
  await page.close();
});

test('a printed page shows what is folded on the screen', async () => {
  const page = await pages().open('sample', { colorScheme: 'dark' });
  const folded = page.locator('#finding-1 details .example').first();
  await expect(folded).toBeHidden();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(folded).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.close();
});

test('a run with one cause takes two pages of paper, with its cause, its request and the score of each section', async () => {
  const [finding] = sampleRun.findings;
  const rules = cleanRun.rules.map((rule) =>
    rule.id === finding?.rule ? { ...rule, outcome: 'failed' as const } : rule,
  );
  const findings = finding ? [{ ...finding, examples: finding.examples.slice(0, 1) }] : [];
  const page = await pages().open('nothing');
  await page.setContent(
    renderHtml({ ...cleanRun, verdict: 'nonconformant', rules, findings }, sampleExchanges),
  );
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2);
  await page.emulateMedia({ media: 'print' });
  for (const shown of ['#finding-1 .versus', '#request-1', '#matrix .score', '#method .facts'])
    await expect(page.locator(shown).first()).toBeVisible();
  await page.close();
});

test('one click selects the text for the operator', async () => {
  const page = await pages().open('sample');
  await page.locator('#finding-1 .bug-report > summary').click();
  await page.locator('#finding-1 .bug-report pre').click();
  const selected = await page.evaluate<string>('getSelection().toString()');
  const [first] = sampleRun.findings;
  expect(`${selected.trimEnd()}\n`).toBe(first && bugReport(first, sampleRun));
  await page.close();
});

test('the keyboard reaches all that is on the page, the link to the content first', async () => {
  const page = await pages().open('sample');
  await unfold(page);
  expect(await findKeyboardTrouble(page)).toEqual([]);
  await page.close();
});

test('the keyboard reaches and opens what is folded', async () => {
  const page = await pages().open('sample');
  const summary = page.locator('.open-reasons > summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.open-reasons li').first()).toBeVisible();
  await page.close();
});
