import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { QUOTA_HEADERS } from '@candleproof/client/testing/hostile-targets';
import { KEY, test } from '@candleproof/client/testing/targets';
import { start, waitForEnd } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Ended } from '@candleproof/testing/environment';
import { expect } from '@playwright/test';
import { commandStart, defaultDeadline, stopAtDeadline } from './stopping.ts';

/** Answers `count` requests, and leaves later ones waiting. */
function silentAfter(count: number): { answer: RequestListener; waiting: Promise<void> } {
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  let requested = 0;
  return {
    waiting,
    answer: (_request, response) => {
      requested++;
      if (requested > count) resolve();
      else response.writeHead(404, QUOTA_HEADERS).end('{}');
    },
  };
}

type Running = { readonly kill: (signal: NodeJS.Signals) => void; readonly ended: Promise<Ended> };

function running(args: readonly string[]): Running {
  const child = start(args, {});
  return { kill: (signal) => child.kill(signal), ended: waitForEnd(child) };
}

function flagsIn(folder: string, baseUrl: string, ca: string): string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ca.pem'), ca);
  writeFileSync(join(folder, 'key'), KEY);
  const files = ['--ca-file', join(folder, 'ca.pem'), '--api-key-file', join(folder, 'key')];
  return ['--base-url', baseUrl, ...files, '--pools-v1', '1', '--pools-v2', '1', '--out', folder];
}

for (const [how, command, flags, reason] of [
  ['check that is interrupted', 'check', [], 'interrupted (SIGINT)'],
  ['check at its deadline', 'check', ['--deadline', '3'], 'the deadline of 3 s passed'],
  ['exploration at its deadline', 'explore', ['--deadline', '3'], 'the deadline of 3 s passed'],
] as const) {
  test(`a ${how} writes what it has learnt, and says why it ended`, async ({ serve, authority }) => {
    const { answer, waiting } = silentAfter(command === 'check' ? 4 : 0);
    const { baseUrl } = await serve(answer);
    const folder = test.info().outputPath('out');
    const run = running([command, ...flagsIn(folder, baseUrl, authority.ca), '--timeout', '50000', ...flags]);
    await waiting;
    const hung = performance.now();
    if (flags.length === 0) run.kill('SIGINT');
    const { code, stdout } = await run.ended;
    // Half of the timeout more than the deadline is promised; the answers would be waited for as long as it is whole.
    expect(performance.now() - hung).toBeLessThan(3000 + 25_000);
    const kept: Run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    expect([code, kept.verdict]).toEqual([3, 'inconclusive']);
    expect(kept.reason).toMatch(/^stopped after \d+ requests?: /);
    expect(kept.reason).toContain(reason);
    expect(stdout.toLowerCase()).toContain(reason.toLowerCase());
    const { log } = JSON.parse(readFileSync(join(folder, 'exchanges.har'), 'utf8'));
    expect(log.entries).toHaveLength(command === 'check' ? 4 : 0);
  });
}

test('an audit that is interrupted lists what it has not seen', async ({ serve, authority }) => {
  const { answer, waiting } = silentAfter(0);
  const { baseUrl } = await serve(answer);
  const folder = test.info().outputPath('out');
  const run = running(['audit', ...flagsIn(folder, baseUrl, authority.ca)]);
  await waiting;
  run.kill('SIGTERM');
  const { code, stdout } = await run.ended;
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('stopped after 0 requests: interrupted (SIGTERM)'),
  ]);
});

test('who interrupts twice is not kept waiting', async ({ serve, authority }) => {
  const { answer, waiting } = silentAfter(0);
  const { baseUrl } = await serve(answer);
  const run = running(['check', ...flagsIn(test.info().outputPath('out'), baseUrl, authority.ca)]);
  await waiting;
  // The second one comes while the reports are written, or finds the command gone.
  run.kill('SIGINT');
  setTimeout(() => run.kill('SIGINT'), 600);
  // On a busy machine it may come when the command no longer listens, and end it as a shell would.
  expect([3, 130, null]).toContain((await run.ended).code);
});

test('the usual deadline is half a minute and a second for each request, however long an answer is waited for', () => {
  expect([16, 300, 'auto' as const].map((budget) => defaultDeadline(budget, {}))).toEqual([46, 330, 122]);
  expect(defaultDeadline(10, { ratePerMinute: 5 })).toBe(150);
  expect(defaultDeadline(10, { ratePerMinute: 6000 })).toBe(40);
});

test('reading a document counts in the deadline of a check', () => {
  performance.clearMarks(commandStart);
  performance.mark(commandStart, { startTime: Math.max(performance.now() - 5000, 0) });
  const passed = stopAtDeadline(0.1);
  const left = stopAtDeadline(600);
  return new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
    expect([passed.signal.aborted, left.signal.aborted]).toEqual([true, false]);
    for (const stop of [passed, left]) stop.dispose();
    performance.clearMarks(commandStart);
  });
});
