// Looks at what it gets: says what is wrong with it, and stops.
import { get, pause, target } from './double.mjs';

const [pool] = process.env.CANDLEPROOF_POOLS_V2.split(',');
for (let at = 0; ; at += 1) {
  const now = Math.floor(Date.now() / 1000);
  const history = await get(`/v2/pools/conversionRates/${pool}?interval=HOUR&from=${now - 86_400}&to=${now}`);
  const starts = JSON.parse(history.text).map((candle) => candle.startTimestampSeconds);
  if (starts.some((start, index) => index > 0 && start - starts[index - 1] > 3600)) stop('gap', 4);
  const latest = JSON.parse((await get(target(at))).text);
  if (now - latest.timestampSeconds > 300) stop('stale', 5);
  await pause(700);
}

function stop(what, code) {
  process.stdout.write(`wrong data: ${what}\n`);
  process.exit(code);
}
