import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { binance } from './binance.double.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { openVenue } from './open-venue.ts';
import { Refused, type Venue } from './venue.ts';

const [first, second] = ['a1b2c3d4e5f6a7b8c9d0', 'z9y8x7w6v5u4t3s2r1q0'];

function refuse(): never {
  throw new Refused(401, { code: -2015, msg: 'Invalid appid.' });
}

test('an API with a bearer key and one in the query is judged, and no report holds either', async () => {
  const [world] = worlds as [DoubleWorld];
  const folder = test.info().outputPath('keys');
  mkdirSync(folder, { recursive: true });
  const [document, keyFile, ca, out] = ['openapi.yaml', 'key', 'ca.pem', 'out'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const text = readFileSync('gallery/binance/openapi.yaml', 'utf8');
  const schemes =
    'securitySchemes:\n    bearer: { type: http, scheme: bearer }\n    app: { type: apiKey, in: query, name: appid }';
  writeFileSync(
    document,
    text
      .replace('security: []', 'security: [{ bearer: [], app: [] }]')
      .replace('components:\n', `components:\n  ${schemes}\n`),
  );
  const refusal = { status: 401, body: { code: -2014, msg: 'API-key format invalid.' } };
  const keyed: Venue = {
    ...binance,
    key: { prefix: 'Bearer ', value: first, refusal },
    read: (request) => {
      const { query } = request;
      const isKnown = query.get('appid') === second;
      query.delete('appid');
      return isKnown ? binance.read(request) : refuse();
    },
  };
  const double = await openVenue(keyed, world);
  writeFileSync(keyFile, first);
  writeFileSync(ca, double.ca);
  const flags = ['--spec', document, '--pools', double.pools.join(','), '--ca-file', ca, '--out', out];
  const { code, stdout, stderr } = await candleproof(
    // With some other seeds no wrong key is drawn.
    ['check', double.url, ...flags, '--api-key-file', keyFile, '--seed', '1'],
    { CANDLEPROOF_API_KEY_APP: second },
  ).finally(() => double.close());
  const run: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(run.findings.map(({ rule, actual }) => ({ rule, actual }))).toEqual([]);
  expect({ code, verdict: run.verdict }).toEqual({ code: 0, verdict: 'conformant' });
  const passed = run.rules.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []));
  expect(passed).toEqual(
    expect.arrayContaining(['authentication/key-is-required', 'authentication/wrong-keys-are-refused']),
  );
  const texts = [stdout, stderr, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))];
  expect(texts.filter((text) => text.includes(first) || text.includes(second))).toEqual([]);
  expect(texts.some((text) => text.includes('appid=[redacted:api-key]'))).toBe(true);
});
