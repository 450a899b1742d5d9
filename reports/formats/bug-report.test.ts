import { execFileSync } from 'node:child_process';
import type { Example, FindingRequest } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { sampleRun } from '../testing/sample-run.ts';
import { bugReport, curlLines } from './bug-report.ts';

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
    `- **Judged by:** Candleproof 0.1.0, rules 000000000001, spec SHA-256 \`${'9f2c'.repeat(16)}\``,
    '- **Repeat this request:** `curl --globoff --include -H "x-api-key: $CANDLEPROOF_API_KEY" \'https://api.testnet.example/dex/v2/pools/conversionRates/1?from=1762905600&to=1763510400&interval=HOUR\'`',
    '- **Repeat this request:** `curl --globoff --include -H "x-api-key: $CANDLEPROOF_API_KEY" \'https://api.testnet.example/dex/pools/conversionRates/latest/1?interval=HOUR\'`',
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
    expect(report.match(/^- \*\*(?!Repeat this request)/gm)).toHaveLength(9);
    expect(report).not.toContain('npx candleproof');
  }
});

const target = { name: 'x', baseUrl: 'https://host' };

function linesFor(...requests: Partial<FindingRequest>[]): string[] {
  const examples = requests.map((part): Example => {
    const request = { method: 'GET', url: 'https://host/tokens', credential: 'api-key', ...part };
    return { exchange: 0, pointer: '', expected: '', actual: '', request };
  });
  return curlLines({ examples }, { target });
}

test('each request has one line, with the key where it had one', () => {
  expect(linesFor({}, {}, { credential: 'none' }, { method: 'POST', credential: 'none' })).toEqual([
    `curl --globoff --include -H "x-api-key: $CANDLEPROOF_API_KEY" 'https://host/tokens'`,
    `curl --globoff --include 'https://host/tokens'`,
    `curl --globoff --include --request 'POST' 'https://host/tokens'`,
  ]);
});

test('an authority of its own and a known tag are named', () => {
  const request = { method: 'GET', url: 'https://host/tokens', credential: 'none', ifNoneMatch: '"a"' };
  const examples = [{ exchange: 0, pointer: '', expected: '', actual: '', request }];
  expect(curlLines({ examples }, { target: { ...target, ownAuthority: true } })).toEqual([
    `curl --globoff --include -H 'if-none-match: "a"' --cacert "$CANDLEPROOF_CA_FILE" 'https://host/tokens'`,
  ]);
});

test('headers that differ from those of the run are sent', () => {
  expect(linesFor({ credential: 'none', headers: [['user-agent', "id'entity"]] })).toEqual([
    `curl --globoff --include -H 'user-agent: id'\\''entity' 'https://host/tokens'`,
  ]);
});

test('the key of another document stands in its own header, without signs of the shell', () => {
  const request = { method: 'GET', url: 'https://host/coins', credential: 'api-key' };
  const examples = [{ exchange: 0, pointer: '', expected: '', actual: '', request }];
  for (const keyHeader of ['x-cg-key', 'x-cg-key"$()`']) {
    expect(curlLines({ examples }, { target: { ...target, keyHeader } })).toEqual([
      `curl --globoff --include -H "x-cg-key: $CANDLEPROOF_API_KEY" 'https://host/coins'`,
    ]);
  }
});

test('a prefix stands before the key, and a key of the query in its place', () => {
  const keyed = (url: string, more: object): string[] => {
    const request = { method: 'GET', url, credential: 'api-key' };
    const examples = [{ exchange: 0, pointer: '', expected: '', actual: '', request }];
    return curlLines({ examples }, { target: { ...target, ...more } });
  };
  expect(keyed('https://host/bars', { keyHeader: 'authorization', keyPrefix: 'Bearer $(' })).toEqual([
    `curl --globoff --include -H "authorization: Bearer $CANDLEPROOF_API_KEY" 'https://host/bars'`,
  ]);
  expect(keyed('https://host/bars?apikey=[redacted:api-key]&a=1', {})).toEqual([
    `curl --globoff --include 'https://host/bars?apikey'="$CANDLEPROOF_API_KEY"'&a=1'`,
  ]);
});

test('each of two keys stands in its own place, under its own variable', () => {
  const second = { prefix: '', variable: 'CANDLEPROOF_API_KEY_APP' };
  const examples = (url: string): Example[] => [
    {
      exchange: 0,
      pointer: '',
      expected: '',
      actual: '',
      request: { method: 'GET', url, credential: 'api-key' },
    },
  ];
  const inHeader = {
    ...target,
    keyHeader: 'x-key',
    furtherKeys: [{ ...second, in: 'header', name: 'x-app' }],
  } as const;
  expect(curlLines({ examples: examples('https://host/bars') }, { target: inHeader })).toEqual([
    `curl --globoff --include -H "x-key: $CANDLEPROOF_API_KEY" -H "x-app: $CANDLEPROOF_API_KEY_APP" 'https://host/bars'`,
  ]);
  const inQuery = { ...inHeader, furtherKeys: [{ ...second, in: 'query', name: 'app' }] } as const;
  const url = 'https://host/bars?app=[redacted:api-key]&a=1';
  expect(curlLines({ examples: examples(url) }, { target: inQuery })).toEqual([
    `curl --globoff --include -H "x-key: $CANDLEPROOF_API_KEY" 'https://host/bars?app'="$CANDLEPROOF_API_KEY_APP"'&a=1'`,
  ]);
  const both = {
    ...target,
    furtherKeys: [{ ...second, variable: 'A_"`B', in: 'query', name: 'app' }],
  } as const;
  expect(curlLines({ examples: examples(`${url}&key=[redacted:api-key]`) }, { target: both })).toEqual([
    `curl --globoff --include 'https://host/bars?app'="$A_B"'&a=1&key'="$CANDLEPROOF_API_KEY"''`,
  ]);
});

test('a key that was wrong on purpose is only named', () => {
  expect(linesFor({ credential: 'trial:last-character-missing' })).toEqual([
    '# GET https://host/tokens with the key last-character-missing',
  ]);
});

const hostile = [
  `https://host/tokens?a='; touch owned; '`,
  'https://host/tokens?a=$(id)`id`$HOME',
  'https://host/tokens?a=\n# b\r\0|c "d" {e} [f]',
  'https://user:secret@host/tokens?a=\\',
  'https://höst/tökens?a=\u202e',
];

for (const url of hostile) {
  test(`a shell takes ${JSON.stringify(url)} for one word`, () => {
    const [line = ''] = linesFor({ url });
    const script = `curl() { printf '%s\\n' "$#" "\${@: -1}"; }; ${line}`;
    const env = { ...process.env, CANDLEPROOF_API_KEY: 'the key' };
    const [count, last = ''] = execFileSync('bash', ['-c', script], { env, encoding: 'utf8' }).split('\n');
    expect([count, URL.canParse(last)]).toEqual(['5', true]);
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(line).not.toMatch(/secret|`/);
  });
}

test('what is no address has no line', () => {
  expect(linesFor({ url: 'file:///etc/passwd' }, { url: 'x' })).toEqual([]);
});
