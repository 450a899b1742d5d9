import { loadSpec } from '@candleproof/document/spec/load-spec';
import { judge } from '@candleproof/law/judge/judge';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { openProxy } from '../forwarding/proxy.ts';
import { openTrafficObserver } from '../testing/open-traffic-observer.ts';
import { ordinaryTraffic } from '../testing/ordinary-clients.ts';
import { passedTokens } from '../testing/passed.ts';
import { passingLaw } from './passing-law.ts';
import { Reader } from './reader.ts';
import { RollingJudge } from './rolling-judge.ts';
import { AnswerWindow, type Entry } from './window.ts';

const spec = loadSpec('openapi.yaml');
const law = passingLaw(spec);
const facts = { name: 'traffic', pools: {}, keyless: false, soleUser: false };

/** Returns exchanges of ordinary clients with a service that has these faults. */
async function traffic(
  faults: readonly string[],
  seed: number,
): Promise<{ target: TargetFacts; entries: Entry[] }> {
  const { url, caPem: ca, apiKey, poolsV1, poolsV2, close } = await startBuilt({ seed: 1, faults });
  const observer = openTrafficObserver(4 << 20);
  const upstream = { baseUrl: url, ca };
  const proxy = await openProxy({ upstream, host: '127.0.0.1', port: 0, observer, patienceMs: 10_000 });
  await ordinaryTraffic({ url: proxy.url, apiKey, poolsV1, poolsV2, seed, requests: 160 });
  await proxy.close(0);
  await close();
  const reader = new Reader(spec, url);
  const entries: Entry[] = [];
  for (const [ordinal, taken] of observer.taken.entries()) {
    const exchange = await reader.read(taken, ordinal);
    if (typeof exchange !== 'string') entries.push({ ordinal, exchange });
  }
  return { target: { ...facts, baseUrl: url }, entries };
}

/** Returns the fingerprints that are found by judging a few answers at a time. */
function foundRolling(target: TargetFacts, entries: readonly Entry[], answers: number): string[] {
  const rolling = new RollingJudge(spec, target, law, { answers, bytes: 1 << 24 });
  for (let at = 0; at < entries.length; at += 7) rolling.take(entries.slice(at, at + 7));
  if (rolling.hasFresh) rolling.judgeWindow();
  const { found } = rolling.report();
  return [...new Set(found.map((finding) => finding.finding.fingerprint))].toSorted();
}

for (const faults of [[], ['F31'], ['F71']])
  test(`what passes with ${faults[0] ?? 'no fault'} is judged as if it had been judged at once`, async () => {
    const { target, entries } = await traffic(faults, 7);
    const exchanges = entries.toSorted(bySending).map((entry) => entry.exchange);
    const recording = { target, seed: 0, exchanges };
    const whole = judge(spec, recording, { catalogue: law.whole, replay: () => '' }).findings;
    const found = foundRolling(target, entries, 1024);
    expect(found).toEqual(whole.map((finding) => finding.fingerprint).toSorted());
    expect(found.length > 0).toBe(faults.length > 0);
    // A small window shows less, and causes no false findings.
    if (faults.length === 0) expect(foundRolling(target, entries, 32)).toEqual([]);
  });

function bySending(one: Entry, other: Entry): number {
  return (
    Date.parse(one.exchange.startedAt) - Date.parse(other.exchange.startedAt) || one.ordinal - other.ordinal
  );
}

test('a breach is counted once, however many looks see it', async () => {
  const { target, entries } = await traffic(['F31'], 3);
  const counts = [16, 64, 1024].map((answers) => {
    const rolling = new RollingJudge(spec, target, law, { answers, bytes: 1 << 24 });
    for (const entry of entries) rolling.take([entry]);
    rolling.judgeWindow();
    rolling.judgeWindow();
    return rolling.report().found.reduce((sum, { count }) => sum + count, 0);
  });
  expect(counts[0]).toBeGreaterThan(10);
  expect(new Set(counts).size).toBe(1);
});

test('what is not judged crowds nothing out of the window before it was judged', async () => {
  const { target, entries } = await traffic(['F71'], 7);
  const rolling = new RollingJudge(spec, target, law, { answers: 128, bytes: 1 << 24 });
  for (const entry of entries) {
    rolling.take([entry]);
    for (let at = 0; at < 3; at++) rolling.miss(entry.ordinal, { startedAt: 0, totalMs: 1 });
  }
  rolling.judgeWindow();
  const tally = rolling.report().tallies.find(({ rule }) => rule === 'history/aligned');
  const successes = entries.filter(
    ({ exchange: { request, response } }) =>
      response?.status === 200 && request.method === 'GET' && request.url.includes('conversionRates'),
  );
  expect(tally?.judged).toBeGreaterThan(0.9 * successes.length);
});

test('a window keeps the newest answers within its number and its bytes', () => {
  const entryOf = (ordinal: number, text: string): Entry => ({
    ordinal,
    exchange: {
      request: { method: 'GET', url: 'https://target.invalid/tokens', headers: [], credential: 'none' },
      response: {
        status: 200,
        statusText: '',
        httpVersion: '',
        headers: [],
        body: { text, encoding: 'utf8' },
      },
      timings: { total: 1 },
      startedAt: new Date(1e12 - ordinal).toISOString(),
    },
  });
  const window = new AnswerWindow({ answers: 3, bytes: 100 });
  for (const ordinal of [1, 2, 3, 4]) window.add(entryOf(ordinal, 'x'));
  expect(window.entries.map((entry) => entry.ordinal)).toEqual([2, 3, 4]);
  window.add(entryOf(5, 'x'.repeat(99)));
  expect(window.entries.map((entry) => entry.ordinal)).toEqual([4, 5]);
  window.sort();
  expect(window.entries.map((entry) => entry.ordinal)).toEqual([5, 4]);
});

test('keys, cookies and tokens are in nothing that is kept, of however many clients', async () => {
  const reader = new Reader(spec, 'https://target.invalid');
  const key = 'Zq3w9x8c7v6b5n4m3l2k1j0h9g8f7d6s';
  const cookie = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
  const bearer = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJlLW9mLWl0';
  for (let at = 0; at < 400; at++)
    await reader.read(passedTokens('[]', at, { requestLines: ['x-api-key', `${at}`.padStart(32, 'k')] }), at);
  const requestLines = ['X-Api-Key', key, 'Cookie', `session=${cookie}`, 'Authorization', `Bearer ${bearer}`];
  const text = JSON.stringify([{ name: `${key} ${encodeURIComponent(key)} ${bearer}` }]);
  const path = `/tokens?api_key=${key}&token=${bearer}`;
  const read = await reader.read(passedTokens(text, 500, { requestLines, path }), 500);
  const kept = JSON.stringify(read);
  for (const secret of [key, cookie, bearer]) expect(kept).not.toContain(secret);
  expect(kept).toContain('[redacted:');
});

test('what a client made conditions for, or nobody can decode, is not judged', async () => {
  const reader = new Reader(spec, 'https://target.invalid');
  const why = (changes: Parameters<typeof passedTokens>[2]) => reader.read(passedTokens('[]', 0, changes), 0);
  expect(await why({ requestLines: ['Range', 'bytes=0-1'] })).toBe('own conditions');
  expect(await why({ requestLines: ['Accept', 'text/html'] })).toBe('own conditions');
  expect(await why({ path: '/elsewhere' })).toBe('other path');
  expect(await why({ responseLines: ['content-encoding', 'zstd'] })).toBe('unknown coding');
  // An invalid coding is the target's fault, as it is in a check.
  expect(await why({ responseLines: ['content-encoding', 'gzip'] })).toMatchObject({
    failure: { kind: 'undecodable' },
  });
});
