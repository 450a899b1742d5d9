import { expect } from '@playwright/test';
import type { Store } from '../store/store.ts';
import { EACH_STORE } from '../store/testing/each-store.ts';
import type { IngestReport } from './ingest.ts';
import { dropBefore, ingest } from './ingest.ts';

const february = Date.UTC(2026, 1) / 1000;
const march = Date.UTC(2026, 2) / 1000;

function observed(time: number): object {
  const amounts = { volume: '20', volumeUsd: '0.5', liquidity: '900', liquidityUsd: '4653.53' };
  return { type: 'observation', generation: 'v2', pool: 5, time, price: 1 + (time % 7), ...amounts };
}

function fed(store: Store, records: readonly object[]): Promise<IngestReport> {
  async function* text(): AsyncGenerator<string> {
    yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
  }
  return ingest(store, text());
}

/** The closed days, and the instant of the newest sample, as of mid-March. */
async function shown(store: Store): Promise<unknown> {
  const now = march + 15 * 86_400;
  return store.read(({ facts, candles }) => {
    const pool = facts.pool('v2', 5)?.pool ?? 0;
    const days = candles.closedCandles(pool, 'DAY', february - 86_400, now, now);
    return { days, latest: candles.latest(pool, 'FIVEMIN', 0, now) };
  });
}

for (const { kind, test } of EACH_STORE) {
  test(`${kind}: months are dropped completely, their candles stay, and later lines are refused`, async ({
    opened,
  }) => {
    const store = await opened();
    const pool = { type: 'pool', generation: 'v2', id: 5 };
    const times = [february - 60, february, february + 900, march - 60, march, march + 60];
    await fed(store, [pool, ...times.map(observed)]);
    const before = await shown(store);
    const months = [
      { month: '2026-01', samples: 1 },
      { month: '2026-02', samples: 3 },
    ];
    expect(await dropBefore(store, march, true)).toEqual({ months, isDone: false });
    expect(await store.listMonthsBefore(march)).toEqual(months);
    expect(await dropBefore(store, march, false)).toEqual({ months, isDone: true });
    // Another process finds it so.
    const other = await opened();
    expect(await other.listMonthsBefore(march + 3600)).toEqual([{ month: '2026-03', samples: 2 }]);
    expect(await shown(other)).toEqual(before);
    const late = await fed(other, [observed(february + 60), observed(march), observed(march + 120)]);
    expect(late).toMatchObject({ accepted: { observations: 1 }, unchanged: 1 });
    expect(late.refused.lines).toEqual([
      {
        line: 1,
        reason:
          'the observations of 2026-02 were dropped, and its candles stay as they are: bring none from before 2026-03',
      },
    ]);
    // An earlier month opens nothing again.
    await dropBefore(other, february, false);
    expect((await fed(store, [observed(february + 60)])).refused.count).toBe(1);
  });

  test(`${kind}: a pool whose samples were all dropped still has its latest candle`, async ({ opened }) => {
    const store = await opened();
    await fed(store, [{ type: 'pool', generation: 'v2', id: 5 }, observed(february + 900)]);
    const before = await shown(store);
    expect(before).toMatchObject({ latest: { start: february + 900, closed: true } });
    await dropBefore(store, march, false);
    expect(await shown(await opened())).toEqual(before);
  });
}
