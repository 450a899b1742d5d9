import { chance } from '@candleproof/law/worlds/market';
import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, listTimes, type SampleRow } from '../testing/tables.ts';

/** Makes rows of twenty days from trades that come by chance, `usual` of them in five minutes; `empty` keeps all rows. */
function trade(seed: number, usual: number, empty: 'left out' | 'kept'): SampleRow[] {
  let price = 0.5;
  return listTimes(5760, 300, begin).flatMap((time, at) => {
    const prices: number[] = [];
    for (let left = Math.exp(usual); ; ) {
      left *= chance(seed, at, prices.length);
      if (left < 1) break;
      price *= 1 + 0.002 * (chance(seed, at, prices.length, 1) - 0.5);
      prices.push(price);
    }
    if (prices.length === 0 && empty === 'left out') return [];
    const [open, close] = [prices[0] ?? price, price];
    return {
      time,
      open,
      high: Math.max(open, ...prices),
      low: Math.min(open, ...prices),
      close,
      volume: 50 * prices.length,
    };
  });
}

async function listGaps(rows: readonly SampleRow[]): Promise<[rows: number, certainty: string][]> {
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  return ranges.filter(({ kind }) => kind === 'gap').map(({ rows, certainty }) => [rows, certainty]);
}

test('missing rows of a small coin are damage only if they are too many for intervals without a trade', async () => {
  for (const seed of [1, 2, 3]) {
    const rows = trade(seed, 6.5, 'left out');
    expect(rows.length).toBeLessThan(5760);
    expect((await listGaps(rows)).map(([, certainty]) => certainty)).not.toContain('breach');
    const broken = await listGaps(rows.toSpliced(3000, 12));
    expect(broken.filter(([, certainty]) => certainty === 'breach')).toEqual([[12, 'breach']]);
  }
});

test('a missing row is damage in a busy market, and where rows without a trade are kept', async () => {
  for (const rows of [trade(1, 40, 'left out'), trade(1, 6.5, 'kept')])
    expect(await listGaps(rows.toSpliced(3000, 1))).toEqual([[1, 'breach']]);
});
