import { expect, test } from '@playwright/test';
import { sampleRun } from '../testing/sample-run.ts';
import { bugReport } from './bug-report.ts';

function renderReport(rule: string, baseUrl = sampleRun.target.baseUrl): string {
  const [finding] = sampleRun.findings.filter((finding) => finding.rule === rule);
  if (!finding) throw new Error(`no finding of ${rule}`);
  return bugReport(finding, { ...sampleRun, target: { ...sampleRun.target, baseUrl } });
}

test('a report says all that an operator needs to look', () => {
  expect(renderReport('candle/average-is-within-range').split('\n')).toEqual([
    '### Averages lie outside low and high',
    '',
    'low ≤ avg ≤ high.',
    '',
    'A mean lies within the range of the averaged values; one that does not is useless as a price.',
    '',
    '- **Requested:** Historical candlesticks of a V2 pool, `GET /v2/pools/conversionRates/{poolId}`',
    '- **Expected:** `within [0.04805, 0.04822]`',
    '- **Actual:** `118.56`',
    '- **Where:** `/*/avg`, first in exchange 4 of the recording at `/3/avg`',
    '- **Seen:** 168 times',
    '- **When:** 2025-11-12 13:05:07 UTC to 2025-11-12 13:05:19 UTC',
    '- **Base URL:** `https://api.testnet.example/dex`',
    '- **Rule:** `candle/average-is-within-range` (must, §2.2 Candlestick record)',
    `- **Judged by:** Candleproof 0.1.0, catalogue edition 1, spec SHA-256 \`${'9f2c'.repeat(16)}\``,
    '- **Ask again:** `curl --globoff --include -H "x-api-key: $CANDLEPROOF_API_KEY" \'https://api.testnet.example/dex/v2/pools/conversionRates/1?from=1762905600&to=1763510400&interval=HOUR\'`',
    '- **Ask again:** `curl --globoff --include -H "x-api-key: $CANDLEPROOF_API_KEY" \'https://api.testnet.example/dex/pools/conversionRates/latest/1?interval=HOUR\'`',
    '',
  ]);
});

test('credentials in the address stay at home', () => {
  const report = renderReport('candle/high-is-highest', 'https://me:hunter2@api.example/dex?key=abc#x');
  expect(report).toContain('`https://api.example/dex`');
  expect(report).not.toMatch(/hunter2|me:|key=abc/);
});

test('texts of the target stay inside code, each fact on one line', () => {
  for (const { rule } of sampleRun.findings) {
    const report = renderReport(rule);
    const bare = report.replace(/`[^`\n]*`/g, '');
    expect(bare).not.toMatch(/@someone|evil|onerror|<(script|img)|(?!\n)\p{Cc}|\p{Cf}/u);
    expect(report.match(/^- \*\*(?!Ask again)/gm)).toHaveLength(9);
    expect(report).not.toContain('npx candleproof');
  }
});
