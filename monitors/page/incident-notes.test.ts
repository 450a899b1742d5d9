import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import type { EventRecord } from '../results/results-store.ts';
import { incidentNotes } from './incident-notes.ts';
import { monitorPage } from './testing/first-page.ts';
import { madeFacts, samplePlan, sampleSeries } from './testing/sample-monitor.ts';

const incident = { id: 'incident/1', target: 'mainnet', begin: 1000, end: 2000 };
const fired: EventRecord = {
  ...{ at: 1100, kind: 'alert-fired', target: 'mainnet' },
  detail: { alert: 'alert/1', incident: incident.id, words: 'page: down' },
};
const note = (at: number, about: string, words: string): EventRecord => ({
  ...{ at, kind: 'note' },
  detail: { about, words },
});

test('the notes of an incident are about it, its alert, or its target while it lasted', () => {
  const taken = 'acknowledged: availability of mainnet from sydney: by kim: from here on: by night';
  const events = [
    fired,
    note(9000, incident.id, 'kim: their balancer'),
    note(1500, 'alert/1', 'ann: seen'),
    { ...fired, at: 1200, kind: 'alert-acknowledged', detail: { ...fired.detail, words: taken } },
    note(1300, 'mainnet', 'bo: me too'),
    note(2001, 'mainnet', 'too late'),
    note(1300, 'testnet', 'elsewhere'),
    note(1300, 'alert/2', 'another'),
  ];
  expect(incidentNotes(events)(incident)).toEqual([
    { at: 1200, words: 'acknowledged by kim: from here on: by night' },
    { at: 1300, words: 'bo: me too' },
    { at: 1500, words: 'ann: seen' },
    { at: 9000, words: 'kim: their balancer' },
  ]);
});

test('the row of an incident shows its notes, as text and bounded', () => {
  const facts = madeFacts(20, sampleSeries.slice(0, 2));
  const [one] = facts.incidents;
  const words = `${hostile.script} ${'x'.repeat(9000)}`;
  const events = [...facts.events, note(facts.now - 1, one?.id ?? '', words)];
  const page = monitorPage({ ...facts, events }, samplePlan);
  const [, row = ''] =
    /<tr>((?:(?!<\/tr>).)*x{200}(?:(?!<\/tr>).)*)<\/tr>/s.exec(page.split('id="incidents"')[1] ?? '') ?? [];
  expect(row).toContain(one?.indicator);
  expect(row).not.toContain('x'.repeat(301));
  expect(page).not.toContain(hostile.script);
});
