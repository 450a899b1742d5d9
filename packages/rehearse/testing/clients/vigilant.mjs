// Knows what a candle is: says what is wrong with those it gets, and stops.
import { get, pause } from './double.mjs';

const known = [
  ...['poolId', 'open', 'high', 'low', 'close', 'avg', 'volume', 'liquidity', 'volumeUsd', 'liquidityUsd'],
  ...['timestampSeconds', 'startTimestampSeconds'],
];
const [pool] = process.env.CANDLEPROOF_POOLS_V2.split(',');
const today = Math.floor(Date.now() / 86_400_000) * 86_400;
const closed = `/v2/pools/conversionRates/${pool}?interval=HOUR&from=${today - 86_400}&to=${today}`;

const first = await candles(closed);
for (const candle of first) {
  if (Object.keys(candle).some((name) => !known.includes(name))) stop('extra-fields', 6);
  if (candle.avg > candle.high || candle.avg < candle.low) stop('average', 7);
}
const inverted = await candles(`${closed}&inverted=true`);
if (inverted.every((candle, at) => candle.open === first[at]?.open)) stop('inversion', 8);
for (;;) {
  await pause(700);
  const again = await candles(closed);
  if (again.some((candle, at) => candle.close !== first[at]?.close)) stop('repainted', 9);
}

async function candles(path) {
  return JSON.parse((await get(path)).text);
}

function stop(what, code) {
  process.stdout.write(`wrong data: ${what}\n`);
  process.exit(code);
}
