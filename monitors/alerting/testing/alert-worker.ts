import { openResults } from '../../../results/sqlite/open.ts';
import type { Sink } from '../../plan/definition.ts';
import { Alerts } from '../alerts.ts';
import { Outbox } from '../deliver.ts';
import { midnight, minute, slotAt, watched } from './slots.ts';

// Writes one slot after the other from where the last process ended, and delivers what follows from each.
const [folder = '', url = '', marks = ''] = process.argv.slice(2);

const sink: Sink = { name: 'hook', kind: 'webhook', form: 'plain', url };
const definition = watched({ alerting: { sinks: [sink], reminder: 60 * minute } });
const timeOf = (n: number): number => midnight + n * 15 * minute;

const store = await openResults(folder);
const begun = Number((await store.state('next')) ?? 0);
const alerts = await Alerts.open(store, definition, timeOf(begun));
const outbox = new Outbox(store, [sink], { signal: new AbortController().signal, environment: process.env });
// The last process may have ended before it looked at the time.
if (begun > 0) await store.record(alerts.tick(timeOf(begun - 1) + 2000));
for (let n = begun; n < marks.length; n++) {
  const slots = [slotAt(timeOf(n), marks[n] === 'x' ? 'failed' : 'ok')];
  const batch = alerts.take(slots, timeOf(n) + 1000);
  const next = { ...batch.states, next: n + 1 };
  await store.record({ slots, ...batch, states: next });
  await store.record(alerts.tick(timeOf(n) + 2000));
  await outbox.deliverDue(timeOf(n) + 3000);
}
await outbox.deliverDue(timeOf(marks.length));
await store.close();
