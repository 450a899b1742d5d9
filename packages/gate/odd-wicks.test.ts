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
    const wicked = rows.map((row, at) => (at === 1500 ? { ...row, high: row.high * factor } : row));
    expect(await judge(wicked)).toEqual([['price/spike', 1502]]);
  });
}
