import { hour } from '../calendar.ts';
import { openResults } from '../sqlite/open.ts';
import { goodSlot, sample } from './slot.ts';

/**
 * Records slot after slot as a monitor does, each with an event and a state in one batch, and says the number of every
 * one that was confirmed. Tidies up now and then. Until it is killed.
 */
const [folder = '', from = '0'] = process.argv.slice(2);
const begin = Date.UTC(2026, 10, 1);
const store = await openResults(folder);
for (let number = Number(from); ; number++) {
  const at = begin + number * 600_000;
  await store.record({ slots: [goodSlot(at, { samples: [] })] });
  const slot = goodSlot(at, { reason: String(number), samples: [sample(at), sample(at + 1)] });
  await store.record({
    slots: [slot],
    events: [{ at, kind: 'reported', detail: { number } }],
    states: { number },
  });
  process.stdout.write(`${number}\n`);
  if (number % 25 === 24) await store.tidy(at + hour);
}
