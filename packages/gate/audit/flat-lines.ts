import { amounts, type Rung } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '@candleproof/law/reading/candle';
import { thousands } from '@candleproof/law/reading/words';

export type FlatLine = { readonly candle: Candle; readonly detail: string };

/** Rows in succession from which a standstill is no chance: half a day of hours, or two of anything longer. */
const fewest: Readonly<Partial<Record<Rung, number>>> = { hour: 12 };
const fewestLonger = 2;

/** USD from which a cent is so small a share that an exchange rate to USD moves by it within any hour. */
const tellingWorth = 1000;

/**
 * Finds candles in runs in which nothing at all moves: prices, amounts and, most of all, the worth in USD. A pool
 * without trades is no such run, since its worth in USD moves with the exchange rate; nor is a pool too small to show it.
 * A price that does not move while no liquidity is left is one: no trade was possible at it.
 */
export function findFlatLines(candles: readonly Candle[], interval: Rung, length: number): FlatLine[] {
  const least = fewest[interval] ?? fewestLonger;
  return listRuns(candles, length)
    .filter((run) => run.length >= least)
    .flatMap((run) => run.map((candle) => ({ candle, detail: describeRun(run) })));
}

function describeRun(run: readonly Candle[]): string {
  const [first] = run;
  const worth = first && amountText(first, 'liquidity-usd');
  return Number(worth) > 0
    ? `prices, amounts and ${first?.reading.fields['liquidity-usd']} ${worth} stand still in ${thousands(run.length)} rows: an exchange rate to USD never does`
    : `a price of ${first?.close} that never moves in ${thousands(run.length)} rows, over no liquidity at all`;
}

function listRuns(candles: readonly Candle[], length: number): Candle[][] {
  const runs: Candle[][] = [];
  for (const candle of candles.filter(isStill)) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && candle.start === before.start + length && isSame(before, candle)) run.push(candle);
    else runs.push([candle]);
  }
  return runs;
}

/** Within the candle no price moves, and its worth is one that would. */
function isStill(candle: Candle): boolean {
  const { open, high, low, close } = candle;
  if (!(high === low && open === close && open === high && open > 0)) return false;
  const worth = Number(amountText(candle, 'liquidity-usd'));
  return worth >= tellingWorth || (worth === 0 && Number(amountText(candle, 'liquidity')) === 0);
}

function isSame(one: Candle, other: Candle): boolean {
  return (
    one.close === other.close &&
    one.avg === other.avg &&
    amounts.every((amount) => amountText(one, amount) === amountText(other, amount))
  );
}
