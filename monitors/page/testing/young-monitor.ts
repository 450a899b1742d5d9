import { day, hour, minute, roundToBegin } from '../../results/calendar.ts';
import { addHours, rollUpSlots } from '../../results/hour-record.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import type { MonitorFacts } from '../page-facts.ts';
import { sampleNow, sampleSeries } from './sample-monitor.ts';

const period = 30_000;

/** Returns seven minutes of one probe, every half minute, five of them without an answer. */
export function youngFacts(): MonitorFacts {
  const [, made] = sampleSeries;
  if (!made) throw new Error('the sample has no series');
  const { series } = made;
  const from = sampleNow - 7 * minute;
  const slots = Array.from({ length: 14 }, (_, index): SlotRecord => {
    const scheduledAt = from + index * period;
    const ran = { series, scheduledAt, state: 'run', rules: [] } as const;
    const isDown = index >= 5 && index < 10;
    return isDown
      ? { ...ran, outcome: 'failed', failure: { phase: 'status', class: '503' }, samples: [] }
      : { ...ran, outcome: 'ok', samples: [makeSample(scheduledAt)] };
  });
  const at = (index: number): number => from + index * period;
  const begin = Math.floor(sampleNow / hour) * hour;
  const record = rollUpSlots(series, begin, slots);
  return {
    now: sampleNow,
    extent: { from, to: at(13) },
    extents: [{ series, from, to: at(13) }],
    newestRuns: [{ series, scheduledAt: at(13), outcome: 'ok', rules: [], plannedTo: at(13), period }],
    musts: [{ target: series.target, location: series.location, musts: 21, of: 62 }],
    days: [addHours(roundToBegin(sampleNow, day), [record])],
    hours: [record],
    ...{ past: [], events: [], pastIncidents: [], quotas: [] },
    incidents: [
      {
        ...{ id: 'young', target: series.target, location: series.location, indicator: 'availability' },
        ...{ lastGood: at(4), begin: at(5), lastBad: at(9), end: at(10), slots: 5 },
        failures: [{ phase: 'status', class: '503' }],
      },
    ],
  };
}

function makeSample(at: number): SlotRecord['samples'][number] {
  const timings = { dns: 3, connect: 16, tls: 28, send: 0.3, wait: 80, receive: 4, total: 131.3 };
  return { at, cold: true, confirming: false, status: 200, timings, sincePlanned: 140 };
}
