import { expect, test } from '@playwright/test';
import { TargetCoverage } from './coverage-conditions.ts';
import { Heartbeat } from './heartbeat.ts';
import type { AlertMessage } from './message.ts';
import type { Send } from './send.ts';
import { makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

const { alerting, location } = makeDefinition();
const definition = { location, alerting: { ...alerting, heartbeat: { sink: 'pager', every: 5 * minute } } };
const at = (now: number) => ({ now, signal: new AbortController().signal, environment: {} });

test('a heartbeat is sent at once, then at its period, and never twice at a time', async () => {
  const answers: ((reason: string | undefined) => void)[] = [];
  const reported: string[] = [];
  const send: Send = (sink, { kind }) => {
    reported.push(`${kind} to ${sink.name}`);
    return new Promise((resolve) => answers.push(resolve));
  };
  const heartbeat = new Heartbeat(definition, send);
  const first = heartbeat.tick(at(midnight));
  await heartbeat.tick(at(midnight + 6 * minute));
  expect(reported).toEqual(['heartbeat to pager']);
  answers[0]?.(undefined);
  await first;
  void heartbeat.tick(at(midnight + 4 * minute));
  expect(reported).toHaveLength(1);
  void heartbeat.tick(at(midnight + 5 * minute));
  expect(reported).toHaveLength(2);
});

test('a heartbeat that fails is counted and not sent again before its time', async () => {
  const heartbeat = new Heartbeat(definition, async () => 'status 500');
  for (const minutes of [0, 1, 2, 5]) await heartbeat.tick(at(midnight + minutes * minute));
  expect(heartbeat.counts).toEqual({ sent: 0, failed: 2 });
});

test('a clock that was set back does not silence the heartbeat', async () => {
  const heartbeat = new Heartbeat(definition, async () => undefined);
  await heartbeat.tick(at(midnight));
  await heartbeat.tick(at(midnight - 60 * minute));
  expect(heartbeat.counts.sent).toBe(2);
});

test('without a heartbeat in the definition none is sent', async () => {
  const heartbeat = new Heartbeat({ location, alerting }, async () => undefined);
  await heartbeat.tick(at(midnight));
  expect(heartbeat.counts).toEqual({ sent: 0, failed: 0 });
});

test('a heartbeat has the time until which each target was judged, and names unjudged ones', async () => {
  const reported: AlertMessage[] = [];
  const heartbeat = new Heartbeat(definition, async (_, message) => {
    reported.push(message);
    return undefined;
  });
  const coverages = [new TargetCoverage('mainnet', midnight), new TargetCoverage('testnet', midnight)];
  for (const coverage of coverages) coverage.take(makeSlot(midnight));
  for (const n of [1, 2, 3]) coverages[0]?.take(makeSlot(midnight + n * minute, 'unknown'));
  await heartbeat.tick(at(midnight + 4 * minute), coverages);
  const lastJudged = '2026-11-21T00:00:00.000Z';
  expect(reported[0]).toMatchObject({
    kind: 'heartbeat',
    text: 'the monitor at sydney is alive; mainnet is not judged since 2026-11-21 00:01 UTC',
    targets: [
      { target: 'mainnet', lastJudged, blindSince: '2026-11-21T00:01:00.000Z' },
      { target: 'testnet', lastJudged },
    ],
  });
});
