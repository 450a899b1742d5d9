import { chance } from '@candleproof/law/worlds/market';
import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

/** Makes rows of twenty days from trades that come by chance, `usual` of them in five minutes; `empty` keeps all rows. */
function trade(
  seed: number,
  usual: number | ((at: number) => number),
  empty: 'left out' | 'kept',
): SampleRow[] {
  let price = 0.5;
  return listTimes(5760, 300, begin).flatMap((time, at) => {
    const prices: number[] = [];
    for (let left = Math.exp(typeof usual === 'number' ? usual : usual(at)); ; ) {
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

test('gaps of the quiet hours of a thin venue are no damage, unless they are longer than those let expect', async () => {
  for (const seed of [1, 2, 3]) {
    // Three hours of every fifth day have one or two trades in five minutes.
    const rows = trade(seed, (at) => (at % 1440 < 36 ? 1.5 : 12), 'left out');
    const gaps = await listGaps(rows);
    expect(gaps.filter(([missing]) => missing > 1).length).toBeGreaterThan(2);
    expect(gaps.map(([, certainty]) => certainty)).not.toContain('breach');
    const broken = await listGaps(rows.toSpliced(3000, 12));
    expect(broken.filter(([, certainty]) => certainty === 'breach')).toEqual([[12, 'breach']]);
  }
});

test('a short gap of a thin market is a suspicion, and of a busy one damage, beside a halt too', async () => {
  const busy = makeWalk(listTimes(2000, 3600, begin), 5, 0.004);
  const listWith = (change: (at: number) => Partial<SampleRow>): Promise<[number, string][]> =>
    listGaps(busy.map((row, at) => ({ ...row, ...change(at) })).toSpliced(1000, 2));
  const single = { open: 100, high: 100, low: 100, close: 100, volume: 3 };
  expect(await listWith((at) => (at % 90 === 0 ? single : {}))).toEqual([[2, 'suspicion']]);
  expect(await listWith((at) => (at === 900 ? single : {}))).toEqual([[2, 'breach']]);
  expect(await listWith((at) => (at === 999 ? { ...single, volume: 0 } : {}))).toEqual([[2, 'breach']]);
});

test('one row without a trade does not show that a source keeps such rows', async () => {
  const rows = trade(2, (at) => (at % 1440 < 36 ? 1.5 : 12), 'left out');
  const idle = rows.map((row, at) =>
    at === 4000 ? { ...row, high: row.low, open: row.low, close: row.low, volume: 0 } : row,
  );
  expect((await listGaps(idle)).map(([, certainty]) => certainty)).not.toContain('breach');
});

test('rows without a volume show that a source keeps them, even if their prices move', async () => {
  const rows = makeWalk(listTimes(2000, 3600, begin), 5, 0.004);
  const moved = rows.map((row, at) => (at % 3 === 0 ? { ...row, volume: 0 } : row));
  expect(await listGaps(moved.toSpliced(1000, 2))).toEqual([[2, 'breach']]);
});

test('a row is not missed where those beside it have a twentieth of the usual volume, but where they have a tenth', async () => {
  const open = listTimes(60 * 96, 900).filter((time) => new Date(time * 1000).getUTCDay() % 6 !== 0);
  const lost = begin + 36 * 86_400 + 3600;
  const judge = async (share: number): Promise<string[]> => {
    const rows = makeWalk(open, 1, 0.0003).map((row) => ({
      ...row,
      volume: 1000 * (Math.abs(row.time - lost) <= 1800 ? share : 1),
    }));
    return (await listGaps(rows.filter(({ time }) => time !== lost))).flatMap(([count, certainty]) =>
      count === 1 ? [certainty] : [],
    );
  };
  expect(await judge(0.04)).toEqual(['observed']);
  expect(await judge(0.1)).toEqual(['suspicion']);
});
