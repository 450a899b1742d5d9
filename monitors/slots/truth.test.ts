import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readFacts } from '../../reports/monitor/facts.ts';
import { monitorPage } from '../../reports/monitor/monitor-page.ts';
import { numbersOf } from '../../reports/monitor/numbers.ts';
import { outagesOf } from '../../reports/monitor/outages.ts';
import type { ReportedPlan } from '../../reports/monitor/plan.ts';
import { monitorView } from '../../reports/monitor/view.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import type { Episode, Said } from '../testing/truth-front.ts';
import { playTruth } from '../testing/truth-play.ts';
import { always } from '../testing/watching.ts';

const targets = ['mainnet', 'testnet'] as const;

/** One of each kind. */
const short: readonly Episode[] = [
  { kind: 'refuse', target: 'mainnet', begin: 120, length: 90 },
  { kind: 'hang', target: 'testnet', begin: 300, length: 65 },
  { kind: 'clock', by: 600_000, begin: 450, length: 60 },
  { kind: 'lose', target: 'mainnet', begin: 600, length: 70 },
  { kind: 'stop', begin: 750, length: 100 },
  { kind: 'clock', by: -300_000, begin: 900, length: 90 },
  { kind: 'flap', target: 'testnet', begin: 1100, length: 240 },
  { kind: 'restart', begin: 1400, length: 1 },
  { kind: 'limit', target: 'mainnet', begin: 1450, length: 120 },
];

const plan: ReportedPlan = {
  ...{ location: 'here', objectives: [], probes: [], maintenance: [], shares: {} },
  versions: { candleproof: 'test', catalogue: 0 },
};

/** What the front's answers, one after the other, make of the slots that ran. */
function outcomesOf(ran: readonly SlotRecord[], said: readonly Said[]): (Said | undefined)[] {
  let taken = 0;
  return ran.map(({ samples }) => {
    taken += samples.length;
    return said[taken - 1];
  });
}

/** Compares all that a monitor tells of a time with what the front wrote down; whatever is false is in the error. */
async function compare(episodes: readonly Episode[]): Promise<void> {
  const last = Math.max(...episodes.map(({ begin, length }) => begin + length));
  const { clock, store, front, metrics, ran, latest, planned, sights } = await playTruth(
    episodes,
    last + 120,
  );
  // What a wrong clock dated is in the report once that time has come.
  const facts = await readFacts(store, latest);
  const numbers = numbersOf(monitorView(facts, plan));
  const slots = await store.slots(always);
  for (const target of targets) {
    const own = slots.filter(({ series }) => series.target === target);
    // Each instant that the clock showed has its row, and no other has one.
    expect(own.map(({ scheduledAt }) => scheduledAt)).toEqual(planned(target));
    const said = front.said.get(target) ?? [];
    const looks = ran.filter(({ series }) => series.target === target);
    expect(looks.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(said.length);
    const outcomes = outcomesOf(looks, said);
    expect(looks.map(({ outcome }) => outcome)).toEqual(outcomes);
    const [good, bad] = ['ok', 'failed'].map((word) => outcomes.filter((each) => each === word).length);
    const [n, ok] = [(good ?? 0) + (bad ?? 0), good ?? 0];
    expect(numbers.targets.find((each) => each.target === target)).toMatchObject({
      ...{ n, availability: ok / n, coverage: expect.any(Number) },
    });
    const [series] = metrics.figures.series.filter((each) => each.series.target === target);
    expect([series?.outcomes.get('ok') ?? 0, series?.outcomes.get('failed') ?? 0]).toEqual([good, bad]);
    const incidents = outagesOf(await store.incidents(always), clock.now());
    const longest = episodes.filter((each) => 'target' in each && each.target === target);
    for (const { incident, least } of incidents.filter((each) => each.incident.target === target)) {
      expect(incident.end).toBeDefined();
      expect(least).toBeLessThanOrEqual(1000 * Math.max(...longest.map(({ length }) => length)));
    }
  }
  const why = new Set(slots.flatMap(({ state, reason }) => (state === 'missed' ? [reason] : [])));
  const events = await store.events(always);
  const stops = events.filter(({ kind }) => kind === 'not-running').map(({ detail }) => detail.words);
  expect([...why].every((each) => stops.includes(each ?? ''))).toBe(true);
  expect(stops).toHaveLength(episodes.filter(({ kind }) => kind === 'stop').length);
  const steps = events.filter(({ kind }) => kind === 'clock-set').map(({ detail }) => String(detail.words));
  const set = episodes.flatMap((each) => (each.kind === 'clock' ? [each.by, -each.by] : []));
  expect(steps.map((each) => / (ahead|back) by (\d+) s/.exec(each)?.slice(1))).toEqual(
    set.map((by) => [by > 0 ? 'ahead' : 'back', String(Math.abs(by) / 1000)]),
  );
  const alerts = events.filter(({ kind }) => kind.startsWith('alert-'));
  const expected = episodes.flatMap(({ kind }) =>
    kind === 'clock' || kind === 'limit' ? [kind === 'clock' ? kind : 'coverage'] : [],
  );
  expect(alerts.map(({ kind, detail }) => `${kind} ${detail.notice}`)).toEqual(
    expected.flatMap((each) => [`alert-fired ${each}`, `alert-cleared ${each}`]),
  );
  const page = monitorPage(facts, plan);
  const isShown = (words: unknown): boolean => page.includes(String(words).replaceAll("'", '&#39;'));
  expect([...stops, ...steps].filter((each) => !isShown(each))).toEqual([]);
  for (const { seen, blindSince } of sights) {
    expect(blindSince).toBeUndefined();
    expect(clock.now() - (seen.judged ?? 0)).toBeLessThan(40_000);
  }
}

test('what a monitor tells of a scripted time is what the front knows', () => compare(short));

/** So many episodes one after the other, each with a pause after it, of every kind and length. */
function drawn(seed: number, count: number): Episode[] {
  const [kinds] = fc.sample(
    fc.array(
      fc.record({
        kind: fc.constantFrom('refuse', 'hang', 'lose', 'flap', 'limit', 'stop', 'restart', 'clock'),
        target: fc.constantFrom(...targets),
        length: fc.integer({ min: 4, max: 12 }),
        minutes: fc.integer({ min: -45, max: 45 }).filter((each) => Math.abs(each) > 5),
      }),
      { minLength: count, maxLength: count },
    ),
    { seed, numRuns: 1 },
  );
  return (kinds ?? []).map(({ kind, target, length, minutes }, n): Episode => {
    const time = { begin: (n + 1) * 420, length: length * 15 };
    if (kind === 'clock') return { kind, by: minutes * 60_000, ...time, length: 90 };
    if (kind === 'limit') return { kind, target, ...time, length: 150 };
    return kind === 'stop' || kind === 'restart' ? { kind, ...time } : { kind, target, ...time };
  });
}

for (const seed of [1, 2, 3, 4, 5]) {
  const title = `what a monitor tells of 31 episodes is what the front knows, drawn by ${seed}`;
  test(title, { tag: '@thorough' }, async () => {
    test.setTimeout(600_000);
    await compare(drawn(seed, 31));
  });
}
