// Asks for a range in milliseconds.
import { get, pause } from './double.mjs';

const [pool] = process.env.CANDLEPROOF_POOLS_V2.split(',');
for (;;) {
  const now = Date.now();
  await get(`/v2/pools/conversionRates/${pool}?interval=HOUR&from=${now - 86_400_000}&to=${now}`);
  await pause(500);
}
