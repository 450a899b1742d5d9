import { expect, test } from '@playwright/test';
import type { GateRange } from './gated.ts';
import { damages } from './testing/damages.ts';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from './testing/markets.ts';
import { judgeTables } from './testing/tables.ts';

/** Kinds of market in which damage of every kind must be found; every run tries the first two. */
const markets = [
  ...['coin by the hour', 'share by five minutes', 'coin by the day', 'currency by the hour'],
  'share by the day',
];

const listNames = ({ rules, doubt = '' }: GateRange): string => [...rules, doubt].join(' ');

/** Returns what is found, or the error of a table that is refused. */
async function find(rows: readonly MarketRow[]): Promise<string[]> {
  try {
    const { ranges } = await judgeTables({ a: formatMarket(rows) }, { gaps: 'sessions', now: 4e9 }, 1 << 16);
    return ranges.filter(({ certainty }) => certainty !== 'observed').map(listNames);
  } catch (error) {
    return [String(error)];
  }
}

for (const [place, name] of markets.entries()) {
  test(`damage of every kind is found in a ${name}, and none where none is planted`, {
    tag: place < 2 ? [] : '@endurance',
  }, async () => {
    const kind = marketKinds.find((each) => each.name === name) ?? marketKinds[0];
    if (kind === undefined) throw new Error('no market');
    const rows = makeMarket(kind, 11, 2000);
    expect(await find(rows)).toEqual([]);
    const missed: string[] = [];
    let planted = 0;
    for (const damage of damages) {
      const damaged = damage.plant(rows, 1000);
      if (damaged === undefined) continue;
      planted++;
      if (!(await find(damaged)).some((found) => damage.names.test(found))) missed.push(damage.name);
    }
    expect(missed).toEqual([]);
    expect(planted).toBeGreaterThanOrEqual(20);
  });
}
