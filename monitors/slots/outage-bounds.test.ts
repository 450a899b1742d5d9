import { setImmediate as turn } from 'node:timers/promises';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { listOutages } from '../page/outages.ts';
import type { TargetReply } from '../testing/scripted-target.ts';
import { scriptedTarget, tokenList } from '../testing/scripted-target.ts';
import { TickingMonitor } from '../testing/ticking-monitor.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, makeDefinition, noon, tokensProbe } from '../testing/watching.ts';

const second = 1000;
/** Ms after which a client gives up on an answer. */
const patience = 10 * second;

type Trouble = {
  /** Ms after noon, and for how long. */
  readonly begin: number;
  readonly length: number;
  /** A service that hangs answers when it is well again; one that loses requests never does. */
  readonly kind: 'hang' | 'lose' | 'refuse';
};

type Waiting = { readonly until: number; readonly end: () => void };

/** Returns the outages that a probe of a period (s) reports of a service with one trouble, simulated by the second. */
async function reported({ begin, length, kind }: Trouble, period: number) {
  const clock = movedClock(noon);
  const [from, to] = [noon + begin, noon + begin + length];
  let waiting: Waiting[] = [];
  const at = (until: number): Promise<void> =>
    new Promise((end) => {
      waiting.push({ until, end });
    });
  const answer = async (): Promise<TargetReply> => {
    const now = clock.now();
    if (now < from || now >= to) return tokenList;
    if (kind === 'refuse') return { status: 503 };
    const isAnswered = kind === 'hang' && to <= now + patience;
    await at(isAnswered ? to : now + patience);
    return isAnswered ? tokenList : { failure: 'timeout', phase: 'wait' };
  };
  const target = scriptedTarget({ name: 'mainnet', clock, answer });
  const definition = makeDefinition([tokensProbe('mainnet', { rhythm: { every: period * second } })]);
  const ticking = await TickingMonitor.open({ clock, targets: [target], definition });
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 12; turns++) await turn();
    const due = waiting.filter(({ until }) => until <= clock.now());
    if (due.length === 0) return;
    waiting = waiting.filter((wait) => !due.includes(wait));
    for (const { end } of due) end();
    await settle();
  };
  const seconds = Math.ceil((begin + length) / second) + 3 * period + 60;
  await ticking.pass(seconds, settle);
  return listOutages(await ticking.store.incidents(always), clock.now());
}

test('a hang is said to be no longer than it was for certain, and no shorter than it was at most', async () => {
  const troubles = fc.record({
    begin: fc.integer({ min: 60, max: 120 }).map((count) => count * second + 500),
    length: fc.integer({ min: 1, max: 150 }).map((count) => count * second),
    kind: fc.constantFrom('hang', 'lose', 'refuse'),
  });
  await fc.assert(
    fc.asyncProperty(troubles, fc.integer({ min: 3, max: 15 }), async (trouble, period) => {
      for (const { incident, least, most = Infinity } of await reported(trouble, period)) {
        expect(incident).toMatchObject({ indicator: 'availability', end: expect.any(Number) });
        expect(least).toBeLessThanOrEqual(trouble.length);
        expect(most).toBeGreaterThanOrEqual(trouble.length);
      }
    }),
    { numRuns: 12, examples: [[{ begin: 60_500, length: 134_000, kind: 'lose' }, 4]] },
  );
});

test('overlaps of a slow probe belong to an outage and do not prove its length', async () => {
  const [outage, ...more] = await reported({ begin: 62_500, length: 60_000, kind: 'hang' }, 6);
  expect(more).toEqual([]);
  expect(outage?.incident.slots).toBeGreaterThanOrEqual(8);
  expect(outage?.least).toBeGreaterThan(30_000);
});
