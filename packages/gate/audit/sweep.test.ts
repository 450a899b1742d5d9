import { baseUrl, type ScriptedReply, scriptedClient } from '@candleproof/check/testing/scripted-client';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { type Audited, runAudit } from './audit.ts';

const spec = loadSpec('openapi.yaml');
const day = 86_400;

/** The Date header of the scripted client. */
const now = Date.parse('2026-03-11T15:32:20Z') / 1000;

async function runSweep(
  answer: (path: string, count: number) => ScriptedReply,
): Promise<Audited & { readonly sent: readonly { path: string; freshConnection?: boolean }[] }> {
  const client = scriptedClient(({ path }, count) => answer(path, count));
  const outcome = await runAudit({
    spec,
    target: { name: 'target', baseUrl, pools: { v1: [], v2: [7] }, keyless: false, soleUser: true },
    client,
    hasKey: true,
    range: { from: now - 30 * day, to: now },
    now,
    budget: 12,
    pauseMs: 1,
  });
  return { ...outcome, sent: client.sent };
}

function row(start: number, length: number): string {
  const prices = { open: 1, high: 2, low: 1, close: 2, avg: 1.5 };
  const amounts = { volume: '5', liquidity: '9', volumeUsd: '1', liquidityUsd: '2' };
  const times = { timestampSeconds: start + length, startTimestampSeconds: start };
  return JSON.stringify({ poolId: 7, ...prices, ...amounts, ...times });
}

const kinds = ({ audit }: Audited): string[] =>
  audit.damage.map((damage) => `${damage.interval} ${damage.kind}`);

for (const status of [401, 403, 429]) {
  test(`a key that is answered ${status} ends the sweep at once`, async () => {
    const outcome = await runSweep(() => ({ status, body: '{}' }));
    expect(outcome.sent).toHaveLength(1);
    expect(outcome.audit.trouble).toContain(String(status));
    expect(kinds(outcome)).toEqual(['HOUR unread', 'DAY unread', 'WEEK unread']);
  });
}

test('a target out of reach is tried twice and no further', async () => {
  const outcome = await runSweep(() => ({ failure: 'unreachable', phase: 'connect' }));
  expect(outcome.sent.map(({ freshConnection }) => freshConnection)).toEqual([false, true]);
  expect(outcome.audit.trouble).toContain('does not answer');
});

test('an answer that passes the second time is requested no third', async () => {
  const outcome = await runSweep((_, count) => (count === 1 ? { status: 503 } : { status: 200, body: '[]' }));
  expect(outcome.sent).toHaveLength(4);
  expect(outcome.audit.damage.map(({ detail }) => detail)).toEqual(
    Array(3).fill('no row of any length: whether the pool lived is not known'),
  );
});

test('a target that always fails is not requested beyond the budget', async () => {
  const outcome = await runSweep(() => ({ status: 500 }));
  expect(outcome.sent).toHaveLength(12);
  expect(kinds(outcome)).toEqual(expect.arrayContaining(['HOUR unread', 'DAY unread', 'WEEK unread']));
});

test('the same single row, whatever is requested, ends the sweep', async () => {
  const start = Date.parse('2026-03-02T00:00:00Z') / 1000;
  const lengths = { HOUR: 3600, DAY: day, WEEK: 7 * day };
  const outcome = await runSweep((path) => {
    const interval = new URL(path, baseUrl).searchParams.get('interval') as keyof typeof lengths;
    return { status: 200, body: `[${row(start, lengths[interval])}]` };
  });
  expect(outcome.sent.length).toBeLessThanOrEqual(12);
  expect(kinds(outcome)).toEqual(['HOUR unread', 'DAY unread']);
});

test('an unknown pool is not read, and not damaged', async () => {
  const outcome = await runSweep(() => ({ status: 404, body: '{}' }));
  expect(outcome.sent).toHaveLength(3);
  expect(outcome.audit.damage.map(({ certainty }) => certainty)).toEqual(Array(3).fill('unknown'));
});
