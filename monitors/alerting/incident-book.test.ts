import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { listOutages, measureDowntime } from '../page/outages.ts';
import { slotPlan } from '../plan/slot-plan.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import { IncidentBook } from './incident-book.ts';
import { day, makeDefinition, makeSlot, midnight } from './testing/slots.ts';

const second = 1000;
const period = 2 * second;

const [tokens] = makeDefinition().probes;
if (!tokens) throw new Error('no probe');
const plan = slotPlan({ ...tokens, rhythm: { every: period } }, { location: 'sydney' });

/** Planned instants from the first one after midnight on. */
const planned = (n: number): number => plan.next(midnight) + n * period;

/** Returns the incidents of one probe: `.` good, `x` failed, ` ` missed, `-` reported nothing about the service. */
function incidentsOf(marks: string, before: readonly IncidentRecord[] = []): readonly IncidentRecord[] {
  const book = new IncidentBook(before, 3 * day, () => plan);
  const all = new Map(before.map((incidentRecord) => [incidentRecord.id, incidentRecord]));
  for (const [n, mark] of [...marks].entries()) {
    for (const incidentRecord of book.take(slotOf(mark, planned(n)), () => undefined))
      all.set(incidentRecord.id, incidentRecord);
  }
  return [...all.values()];
}

function slotOf(mark: string, at: number): SlotRecord {
  if (mark === ' ') return makeSlot(at, 'ok', { state: 'missed', outcome: undefined });
  return makeSlot(at, mark === 'x' ? 'failed' : mark === '-' ? 'limited' : 'ok');
}

test('a time in which the monitor was dead is no downtime', () => {
  // 14 s down, 45 s healthy while the monitor was dead, 13 s down.
  const incidents = incidentsOf(`.....${'x'.repeat(7)}${' '.repeat(22)}${'x'.repeat(7)}.....`);
  const now = planned(100);
  const { least, most, unwatched } = measureDowntime(listOutages(incidents, now), midnight, now);
  expect([least, most]).toEqual([24 * second, 28 * second]);
  expect(Math.round((unwatched ?? 0) / second)).toBe(46);
  expect(incidents).toMatchObject([
    { begin: planned(5), lastBad: planned(11), end: planned(11) },
    { begin: planned(34), end: planned(41) },
  ]);
  expect(incidents[1]?.lastGood).toBeUndefined();
});

test('an outage that ended during a gap in the runs ends with its last bad run', () => {
  const [outage, ...more] = incidentsOf('..xxx          ...');
  expect(more).toEqual([]);
  expect(outage).toMatchObject({ lastGood: planned(1), begin: planned(2), end: planned(4) });
  expect(Math.round((outage?.unwatched ?? 0) / second)).toBe(22);
});

test('a single slot without a run does not split an outage', () => {
  for (const gap of [' ', '-']) expect(incidentsOf(`..xx${gap}xx..`)).toMatchObject([{ slots: 4 }]);
  for (const gap of ['  ', '--']) expect(incidentsOf(`..xx${gap}xx..`)).toHaveLength(2);
});

test('a run that hangs over the next slots counts as a run', () => {
  const book = new IncidentBook([], 3 * day, () => plan);
  book.take(makeSlot(planned(0), 'failed', { finishedAt: planned(5) + 10 }), () => undefined);
  expect(book.take(makeSlot(planned(6), 'failed'), () => undefined)).toMatchObject([{ slots: 2 }]);
});

test('an open incident of a monitor that is gone does not grow', () => {
  const [open] = incidentsOf('..xxx');
  if (!open) throw new Error('no incident');
  const [soon] = listOutages([open], planned(5));
  expect(soon).toMatchObject({ isOpen: true, least: 4 * second, most: 8 * second });
  expect(soon?.unwatched).toBeUndefined();
  const [late] = listOutages([open], planned(4) + 3 * day);
  expect(late).toMatchObject({ isOpen: true, least: 4 * second, most: 6 * second, unwatched: 3 * day });
});

test('the greatest downtime never exceeds the slots around the bad ones', () => {
  const marks = fc.array(fc.constantFrom('.', 'x', 'x', ' ', '-', '      '), { maxLength: 60 });
  fc.assert(
    fc.property(marks, (parts) => {
      const text = parts.join('');
      const now = planned(text.length);
      const { least, most } = measureDowntime(listOutages(incidentsOf(text), now), midnight, now);
      const bad = [...text].filter((character) => character === 'x').length;
      // Around each bad slot lies at most one that was not judged, and the time until the next good probe run.
      expect(most).toBeLessThanOrEqual(bad * 4 * period);
      expect(least).toBeLessThanOrEqual(most);
    }),
  );
});

test('an outage is as long as it was, though the clock was set meanwhile', () => {
  const book = new IncidentBook([], 3 * day, () => plan);
  const all = new Map<string, IncidentRecord>();
  const keep = (changed: readonly IncidentRecord[]): void => {
    for (const incidentRecord of changed) all.set(incidentRecord.id, incidentRecord);
  };
  const step = 300 * period;
  let [set, n] = [0, 0];
  for (const mark of '..xx>xx<xx.') {
    const by = mark === '>' ? step : mark === '<' ? -step : 0;
    if (by !== 0) keep(book.shift(by));
    else keep(book.take(slotOf(mark, planned(n++) + set), () => undefined));
    set += by;
  }
  expect([...all.values()]).toMatchObject([
    { lastGood: planned(1), begin: planned(2), lastBad: planned(7), end: planned(8), slots: 6 },
  ]);
});
