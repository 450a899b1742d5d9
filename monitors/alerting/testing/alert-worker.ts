import { openResults } from '../../../results/sqlite/open.ts';
import type { Sink } from '../../plan/definition.ts';
import { Alerts } from '../alerts.ts';
import { Outbox } from '../deliver.ts';
import { makeDefinition, makeSlot, midnight, minute } from './slots.ts';

// Writes one slot after the other, starting after the last process's, and delivers the messages that follow from each.
const [folder = '', url = '', marks = ''] = process.argv.slice(2);

const sink: Sink = { name: 'hook', kind: 'webhook', form: 'plain', url };
const definition = makeDefinition({
  alerting: { sinks: [sink], reminder: { page: 60 * minute, ticket: 60 * minute } },
});
const slotTime = (n: number): number => midnight + n * 15 * minute;

const store = await openResults(folder);
const begun = Number((await store.state('next')) ?? 0);
const alerts = await Alerts.open(store, definition, slotTime(begun));
const outbox = new Outbox(store, [sink], { signal: new AbortController().signal, environment: process.env });
// The last process may have ended before it looked at the time.
if (begun > 0) await store.record(alerts.tick(slotTime(begun - 1) + 2000));
for (let n = begun; n < marks.length; n++) {
  const slots = [makeSlot(slotTime(n), marks[n] === 'x' ? 'failed' : 'ok')];
  const batch = alerts.take(slots, slotTime(n) + 1000);
  const next = { ...batch.states, next: n + 1 };
  await store.record({ slots, ...batch, states: next });
  await store.record(alerts.tick(slotTime(n) + 2000));
  await outbox.deliverDue(slotTime(n) + 3000);
}
await outbox.deliverDue(slotTime(marks.length));
await store.close();
