import { expect, test } from '@playwright/test';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from './testing/markets.ts';
import { judgeTables } from './testing/tables.ts';

for (const [name, factor] of [
  ['share by the day', 1.3],
  ['share by five minutes', 1.05],
] as const) {
  test(`a wick of ${factor} times is suspected in a ${name} whose other wicks are short`, async () => {
    const kind = marketKinds.find((each) => each.name === name) ?? marketKinds[0];
    if (kind === undefined) throw new Error('no market');
    const rows = makeMarket(kind, 11, 3000);
    const judge = async (table: readonly MarketRow[]): Promise<unknown[]> => {
      const { ranges } = await judgeTables({ a: formatMarket(table) }, { gaps: 'sessions', now: 4e9 });
      return ranges.flatMap(({ doubt, line, certainty }) =>
        certainty === 'suspicion' ? [[doubt, line]] : [],
      );
    };
    expect(await judge(rows)).toEqual([]);
    const wicked = (volume: number): MarketRow[] =>
      rows.map((row, at) => {
        const quote = (row.quote / row.volume) * volume;
        return at === 1500 ? { ...row, high: row.high * factor, volume, quote } : row;
      });
    const least = Math.min(...rows.slice(1480, 1520).map(({ volume }) => volume));
    expect(await judge(wicked(least))).toEqual([['price/spike', 1502]]);
    // A crash that was traded has many times the volume.
    expect(await judge(wicked(50 * least))).toEqual([]);
  });
}
