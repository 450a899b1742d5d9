import type { Shares } from '@candleproof/law/planning/allowance';
import { type Catalogue, choose } from '@candleproof/law/rules/catalogue';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { Probe } from '../plan/definition.ts';
import { useFolder } from '../results/testing/stores.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import { type Script, type ScriptedMonth, scriptedTarget, tokenList } from '../testing/scripted-target.ts';
import { type MovedClock, movedClock } from '../testing/watched-service.ts';
import {
  always,
  day,
  hour,
  makeDefinition,
  minute,
  noon,
  shares,
  tokensProbe,
  Watching,
} from '../testing/watching.ts';
import { progressName } from './slot-progress.ts';

/** The end of the month that noon lies in. */
const reset = Date.UTC(2026, 4, 1) - 1;
const quarterly = tokensProbe('mainnet', { rhythm: { every: 15 * minute } });

type Keyed = {
  readonly clock: MovedClock;
  readonly month: ScriptedMonth;
  readonly target: ReturnType<typeof scriptedTarget>;
  /** A monitor, or another one on what the first left. */
  open(store?: Watching['store']): Promise<Watching>;
};

type KeyedOptions = {
  readonly used: number;
  readonly limit?: number;
  readonly probes?: readonly Probe[];
  readonly keyShares?: Shares;
  readonly law?: Catalogue;
} & Pick<Script, 'answer'>;

/** Opens a target that counts, requested with a key of which `used` requests are spent at noon. */
function withKey<T>(options: KeyedOptions, use: (keyed: Keyed) => Promise<T>): Promise<T> {
  const { used, limit = 10_000, probes = [quarterly], keyShares = shares, answer, law } = options;
  return useFolder(async (folder) => {
    const clock = movedClock(noon);
    const month = { limit, used, reset };
    const scriptedKey = await ScriptedKey.open(folder, clock, keyShares);
    const script = { name: 'mainnet', clock, month, key: scriptedKey.key, answer };
    const target = scriptedTarget(script);
    const open = (store?: Watching['store']): Promise<Watching> =>
      Watching.open({
        definition: makeDefinition(probes),
        targets: [target],
        clock,
        keys: (now) => scriptedKey.facts(now, ['mainnet']),
        store,
        law,
      });
    return use({ clock, month, target, open }).finally(() => scriptedKey.close());
  });
}

test('a short quota slows the monitor down evenly instead of stopping it', () =>
  // Half of what the slots until the reset would take.
  withKey({ used: 6706 }, async ({ open, month, target }) => {
    const watching = await open();
    await watching.runUntil(noon + day);
    const reported = await watching.messages();
    expect(reported).toHaveLength(96);
    expect(target.sent.length).toBeGreaterThan(44);
    expect(target.sent.length).toBeLessThan(54);
    expect(reported.join(' ')).not.toMatch(/(ok ok ok|quota-skipped quota-skipped quota-skipped)/);
    expect(month.used).toBe(6706 + target.sent.length);
    const skipped = (await watching.slots()).find(({ state }) => state === 'quota-skipped');
    expect(skipped?.reason).toBe('the quota is short: fewer slots are run');
  }));

test('a monitor restarted after every slot keeps the same pace', () =>
  withKey({ used: 6706 }, async ({ open: openFirst }) => {
    const first = await openFirst();
    await first.runUntil(noon + 6 * hour);
    await withKey({ used: 6706 }, async ({ open, clock }) => {
      let watching = await open();
      while (watching.monitor.next < noon + 6 * hour) {
        await watching.slot();
        watching = await open(watching.store);
      }
      expect(await watching.messages()).toEqual(await first.messages());
      const progress = await watching.store.state(progressName('mainnet/tokens', 'here'));
      expect(progress).toMatchObject({ until: clock.now(), credit: expect.any(Number) });
    });
  }));

const hungry: Shares = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };

test('whatever others use between answers, the monitor itself leaves the reserve alone', async () => {
  const uses = fc.array(fc.record({ foreign: fc.nat(40), fails: fc.boolean() }), {
    minLength: 20,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(uses, async (steps) => {
      let [step, known, sentSince, lastSent] = [0, 300, 0, noon];
      let now = (): number => noon;
      let used = 700;
      const answer: Script['answer'] = () => {
        const fails = steps[step]?.fails ?? false;
        // The last answer's rest, less all that left since, may still be spent. The daily recheck alone takes a
        // request of the reserve.
        const isRecheck = now() - lastSent >= day;
        lastSent = now();
        if (known - sentSince < 101 && !isRecheck)
          throw new Error(`${known} were left, and ${sentSince} had been sent`);
        sentSince += 1;
        if (!fails) [known, sentSince] = [1000 - used - 1, 0];
        return fails ? { failure: 'timeout', phase: 'wait' } : tokenList;
      };
      const probes = [tokensProbe('mainnet', { rhythm: { every: 6 * hour } })];
      await withKey(
        { used, limit: 1000, probes, keyShares: hungry, answer },
        async ({ open, month, clock }) => {
          now = clock.now;
          const watching = await open();
          for (; step < steps.length; step++) {
            used = month.used;
            await watching.slot();
            month.used += steps[step]?.foreign ?? 0;
          }
          const reasons = (await watching.slots()).flatMap(({ reason = '' }) => reason);
          expect(reasons.filter((reason) => reason.includes('the probe itself failed'))).toEqual([]);
        },
      );
    }),
    { numRuns: 5 },
  );
});

test('a monitor at its reserve sends nothing, and continues in the next month', () =>
  withKey({ used: 8999 }, async ({ open, month, target, clock }) => {
    const watching = await open();
    await watching.runUntil(noon + 3 * hour);
    // One finds out what is left.
    expect(target.sent).toHaveLength(1);
    const { reason } = (await watching.slots()).at(-1) ?? {};
    expect(reason).toBe('the reserve and the shares of others leave too little');
    clock.set(reset + 3 * minute);
    month.used = 0;
    month.reset = Date.UTC(2026, 5, 1) - 1;
    await watching.tick(clock.now());
    await watching.runUntil(reset + 2 * hour);
    expect((await watching.messages()).slice(-6)).toEqual(Array(6).fill('ok'));
  }));

test('a monitor that stopped at its reserve learns within a day that others used the key up', () =>
  withKey({ used: 8999 }, async ({ open, month, target }) => {
    const watching = await open();
    await watching.runUntil(noon + 2 * hour);
    month.used = 9999;
    await watching.runUntil(noon + 2 * day + hour);
    // The first request found out what was left, the recheck that nothing is: a third would learn nothing.
    expect(target.sent).toHaveLength(2);
    const ran = (await watching.slots()).filter(({ state }) => state === 'run');
    expect(ran.map(({ scheduledAt }) => Math.floor((scheduledAt - noon) / day))).toEqual([0, 1]);
    const [, found] = await watching.store.quotas(always);
    expect(found).toMatchObject({ remaining: 0 });
    const [use] = (await watching.store.events(always)).filter(({ kind }) => kind === 'foreign-use');
    expect(use).toMatchObject({ key: 'main', detail: { n: 999 } });
  }));

test('a monitor that stopped at its reserve continues within a day after the month ends early', () =>
  withKey({ used: 8999 }, async ({ open, month, target }) => {
    const watching = await open();
    await watching.runUntil(noon + 2 * hour);
    expect(target.sent).toHaveLength(1);
    month.used = 0;
    month.reset = Date.UTC(2026, 4, 15, 12) - 1;
    await watching.runUntil(noon + day + 3 * hour);
    expect((await watching.messages()).slice(-8)).toEqual(Array(8).fill('ok'));
  }));

test('a recheck without an answer is not tried again before the next day', () => {
  const answer: Script['answer'] = (count) =>
    count === 1 ? tokenList : { failure: 'timeout', phase: 'wait' };
  return withKey({ used: 8999, answer }, async ({ open, target }) => {
    const watching = await open();
    await watching.runUntil(noon + 3 * day + hour);
    expect(target.sent).toHaveLength(4);
  });
});

test('a deep probe waits until a light one has learnt the quota', () => {
  const deep = {
    kind: 'deep',
    name: 'deep',
    target: 'mainnet',
    rhythm: { cron: '0 * * * *' },
    budget: 12,
  } as const;
  const light = tokensProbe('mainnet', { rhythm: { cron: '5 * * * *' } });
  const law = choose(['transport/strict-json']).chosen;
  return withKey({ used: 0, probes: [deep, light], law }, async ({ open, clock, target }) => {
    clock.set(noon + 6 * minute);
    const watching = await open();
    await watching.runUntil(noon + hour + 5 * minute);
    expect(target.sent).toHaveLength(0);
    expect(await watching.messages()).toEqual(['quota-unknown']);
    const [{ reason } = {}] = await watching.slots();
    expect(reason).toMatch(/^the quota .*is not known/);
    await watching.runUntil(noon + 2 * hour + minute);
    const [tokens, after] = (await watching.slots()).slice(-2);
    expect(tokens).toMatchObject({ series: { probe: 'tokens' }, outcome: 'ok' });
    expect(after).toMatchObject({ series: { probe: 'deep' }, state: 'run' });
    expect(target.sent.length).toBeGreaterThan(1);
    expect(target.sent.length).toBeLessThanOrEqual(1 + deep.budget);
  });
});

test('a changed limit moves the slots of probes without a period', () => {
  const probes = [tokensProbe('mainnet', { rhythm: { every: 'budget' } })];
  return withKey({ used: 0, limit: 20_000, probes }, async ({ open, month }) => {
    const watching = await open();
    const period = (): number | undefined => watching.monitor.plan.probes[0]?.plan.period;
    // The limit is unknown yet, so the document's example is used.
    expect(period()).toBe(447_000);
    const first = await watching.slot();
    await watching.tick((first?.scheduledAt ?? 0) + 31_000);
    expect(period()).toBe(224_000);
    await watching.runUntil(noon + hour);
    const times = (await watching.slots()).map(({ scheduledAt }) => scheduledAt);
    const gaps = times.slice(2).map((at, index) => at - (times[index + 1] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([224_000]));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(224_000 + 31_000);
    expect(new Set(await watching.messages())).toEqual(new Set(['ok']));
    month.limit = 5000;
    await watching.slot();
    await watching.tick(watching.clock.now() + 31_000);
    expect(period()).toBe(893_000);
    const again = await open(watching.store);
    expect(again.monitor.next).toBe(watching.monitor.next);
  });
});

test('slots that a new plan would have had before now are not missed', () => {
  const latest = tokensProbe('mainnet', { name: 'often', rhythm: { every: 10 * minute } });
  const probes = [latest, tokensProbe('mainnet', { rhythm: { every: 'budget' } })];
  return withKey({ used: 0, probes }, async ({ open, month }) => {
    const watching = await open();
    await watching.runUntil(noon + hour);
    // The rare one's last slot is a while ago when the frequent one learns that there is far more to spend.
    month.limit = 1_000_000;
    await watching.runUntil(noon + hour + 15 * minute);
    expect(watching.monitor.plan.probes[1]?.plan.period).toBe(minute);
    expect(new Set(await watching.messages())).toEqual(new Set(['ok']));
  });
});
