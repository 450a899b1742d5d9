import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import { hour, minute } from '../results/calendar.ts';
import type { EventRecord, IncidentRecord } from '../results/results-store.ts';
import { monitorFeed } from './feed.ts';
import { monitorPage } from './testing/first-page.ts';
import { madeFacts, sampleNow, samplePlan, sampleSeries } from './testing/sample-monitor.ts';

const begin = sampleNow - 3 * hour;
const incident: IncidentRecord = {
  ...({
    id: 'incident/one',
    target: 'mainnet',
    location: 'fra1',
    indicator: 'availability',
    slots: 3,
  } as const),
  ...{ begin, lastBad: begin + 20 * minute, failures: [{ phase: 'status', class: '503' }] },
};
const over = { ...incident, id: 'incident/two', end: begin + 30 * minute };

function work(from: number, to: number): EventRecord {
  const detail = { location: 'fra1', about: 'mainnet', words: 'kim: new disks', from, to };
  return { at: from, kind: 'planned-work', target: 'mainnet', detail };
}

const note: EventRecord = {
  ...{ at: sampleNow - minute, kind: 'note', target: 'mainnet' },
  detail: { location: 'fra1', about: 'mainnet', words: `kim: their balancer ${hostile.script}` },
};

test('the feed has incidents, planned work and notes, the newest first, and no text becomes markup', () => {
  const events = [work(sampleNow - hour, sampleNow + hour), work(sampleNow - 2 * minute, 0), note];
  const feed = monitorFeed({ now: sampleNow, incidents: [incident, over], events });
  expect([...feed.matchAll(/<entry><title>([^<]*)/g)].map(([, title]) => title)).toEqual([
    ...['mainnet: note', 'mainnet: planned work is over', 'mainnet: planned work'],
    ...['mainnet: availability, over', 'mainnet: availability'],
  ]);
  expect(feed).toContain('<id>urn:candleproof:incident/one</id>');
  expect(feed).toContain('status 503 as seen from fra1 since');
  expect(feed).not.toContain(hostile.script);
});

test('the page says that planned work was announced, until it ends or is ended', () => {
  const facts = { ...madeFacts(30, sampleSeries.slice(1, 2)), incidents: [] };
  const plan = {
    ...samplePlan,
    probes: samplePlan.probes.filter(({ probe }) => probe === 'candles').slice(0, 1),
  };
  const begun = work(sampleNow - hour, sampleNow + hour);
  expect(monitorPage({ ...facts, events: [begun] }, plan)).toContain('planned work at mainnet');
  const ended = work(sampleNow - minute, sampleNow - minute);
  expect(monitorPage({ ...facts, events: [begun, ended] }, plan)).not.toContain('planned work at mainnet');
});
