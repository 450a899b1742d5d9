import { LedgerAway } from '@candleproof/client/ledger/ledger-store';
import { expect, test } from '@playwright/test';
import type { SlotRecord } from '../results/probe-record.ts';
import { useFolder } from '../results/testing/stores.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { SimulatedWaits } from '../testing/simulated-waits.ts';
import { TickingMonitor } from '../testing/ticking-monitor.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, makeDefinition, noon, shares, tokensProbe } from '../testing/watching.ts';

const definition = makeDefinition([tokensProbe('mainnet', { rhythm: { every: 10_000 } })]);

/** Watches a target for two minutes; resolves to the causes that the messages about its coverage name. */
async function blindCauses(
  prepare: (waits: SimulatedWaits) => Partial<Parameters<typeof TickingMonitor.open>[0]> & {
    answer?: Parameters<typeof scriptedTarget>[0]['answer'];
    key?: Parameters<typeof scriptedTarget>[0]['key'];
  },
): Promise<string[]> {
  const clock = movedClock(noon);
  const waits = new SimulatedWaits(clock);
  const { answer, key, ...more } = prepare(waits);
  const target = scriptedTarget({ name: 'mainnet', clock, answer, key });
  const ticking = await TickingMonitor.open({ ...{ clock, definition, targets: [target] }, ...more });
  await ticking.pass(120, () => waits.settle());
  const fired = await ticking.store.events(always, ['alert-fired']);
  return fired.map(({ detail }) => String(detail.words).replace(/^.* slots: |\n.*/g, ''));
}

test('a body that drips over many slots is named by them, and no page that nobody looks', async () => {
  let slots: readonly SlotRecord[] = [];
  const causes = await blindCauses((waits) => ({
    onSettled: (settled) => {
      slots = [...slots, ...settled.slots];
    },
    async answer() {
      await waits.pass(36_000);
      return { status: 200, body: '[]', receive: 34_000 };
    },
  }));
  expect(causes).toEqual([]);
  const reasons = new Set(slots.flatMap(({ state, reason }) => (state === 'overlap' ? [reason] : [])));
  expect([...reasons]).toEqual(['the run before it took 36 s, 34 s of it waiting for the body']);
});

test('a page that a target is not judged names a database of the ledger that is down', () =>
  useFolder(async (folder) => {
    const clock = movedClock(noon);
    const scripted = await ScriptedKey.open(folder, clock, shares);
    const { key } = scripted;
    const away = 'PostgreSQL at db:5432/ledger is out of reach (connect ECONNREFUSED)';
    const causes = await blindCauses((waits) => ({
      key: {
        ...key,
        account: Object.assign(Object.create(key.account ?? null), {
          async ask() {
            await waits.pass(25_000);
            throw new LedgerAway(away);
          },
        }),
      },
    }));
    await scripted.close();
    expect(causes).toEqual([`the ledger of the key cannot be used: ${away}`]);
  }));
