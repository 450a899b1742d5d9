import { setTimeout as pause } from 'node:timers/promises';
import { PostgresAddress } from '@candleproof/postgres/address';
import { hour } from '../calendar.ts';
import { openLocationResults } from '../location-store.ts';
import { goodSlot, sample, series } from './slot.ts';

/**
 * Records `count` slots of one location as a monitor does, each with an event, and prints the number of each that was
 * confirmed. Tidies up now and then.
 */
const [dataDir = '', url = '', location = '', count = '0'] = process.argv.slice(2);
const begin = Date.UTC(2026, 10, 1);
const store = await openLocationResults({
  ...{ dataDir, location, address: new PostgresAddress(url), sinks: [], sharedStates: [] },
  ...{ onCutOff: () => undefined, onCaughtUp: () => undefined },
  onTrouble: (error) => {
    throw error;
  },
});
for (let number = 0; number < Number(count); number++) {
  const at = begin + number * 300_000;
  const total = 20 + ((number * 37 + location.charCodeAt(0) * 11) % 700) / 3;
  const isBad = (number + location.charCodeAt(0)) % 9 === 0;
  const slot = goodSlot(at, {
    series: { ...series, location },
    samples: [sample(at, { timings: { total }, sincePlanned: total, status: isBad ? 503 : 200 })],
    ...(isBad && { outcome: 'failed', failure: { phase: 'status', class: '503' } }),
  });
  await store.record({ slots: [slot], events: [{ at, kind: 'reported', detail: { location, number } }] });
  process.stdout.write(`${number}\n`);
  if (number % 40 === 39) await store.tidy(at + hour);
  await pause(5);
}
await store.close();
