import { expect, test } from '@playwright/test';
import { ScriptedKey } from '../../monitors/testing/scripted-key.ts';
import { scriptedTarget } from '../../monitors/testing/scripted-target.ts';
import { movedClock } from '../../monitors/testing/watched-service.ts';
import {
  day,
  hour,
  makeDefinition,
  minute,
  noon,
  shares,
  tokensProbe,
  Watching,
} from '../../monitors/testing/watching.ts';
import { TrafficFolder } from '../../monitors/traffic/traffic-folder.ts';
import { readFacts } from '../../reports/monitor/facts.ts';
import { monitorNumbers } from '../../reports/monitor/numbers.ts';
import { monitorView } from '../../reports/monitor/view.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import type { TrafficMinute } from '../../traffic/judging/messages.ts';
import { TrafficStore } from '../../traffic/keeping/traffic-store.ts';

const week = 7 * day;

/** Clients come every so often; at night no one does, and once the target fails for all. */
const clientsEvery = 10 * minute;
const night = { from: noon + 2 * day + 10 * hour, to: noon + 2 * day + 18 * hour };
const outage = { from: noon + 4 * day, to: noon + 4 * day + 2 * hour };

const isIn = ({ from, to }: typeof night, at: number): boolean => at >= from && at < to;

function minuteAt(begin: number): TrafficMinute {
  const status = isIn(outage, begin) ? 503 : 200;
  const samples = [{ at: begin, totalMs: 30, status }];
  const operation = { operation: 'listTokens', passed: 40, endings: [{ status }], broken: [], samples };
  return { begin, operations: [operation], isUnanswered: false };
}

type Week = { readonly slots: readonly SlotRecord[]; readonly spent: number; readonly watching: Watching };

/** A week of a monitor, and the requests that its key's month has less afterwards. */
async function weekOf(folder: string, hasTraffic: boolean): Promise<Week> {
  const clock = movedClock(noon);
  const month = { limit: 10_000, used: 0, reset: noon + 15 * day };
  const held = await ScriptedKey.open(folder, clock, shares);
  const traffic = await TrafficStore.open(folder, { target: 'proxy', location: 'there' });
  const answer = () => ({ status: isIn(outage, clock.now()) ? 503 : 200, body: '[]' });
  const bare = scriptedTarget({ name: 'mainnet', clock, key: held.key, month, answer });
  await traffic.begin({ upstream: bare.facts.baseUrl });
  const source = { traffic: new TrafficFolder(folder, bare.facts.baseUrl) };
  const watching = await Watching.open({
    definition: makeDefinition([tokensProbe('mainnet', { rhythm: { every: 30 * minute } })], {
      objectives: [{ indicator: 'availability', objective: 0.99 }],
    }),
    targets: [hasTraffic ? { ...bare, ...source } : bare],
    clock,
    keys: (now) => held.facts(now, ['mainnet']),
  });
  for (let at = noon; at < noon + week; at += clientsEvery) {
    await watching.runUntil(at);
    if (!isIn(night, at)) await traffic.keep(minuteAt(at), at);
  }
  await watching.runUntil(noon + week);
  await traffic.close();
  await held.close();
  const all = await watching.store.slots({ from: noon, to: noon + week }, { source: 'active' });
  return { slots: all, spent: month.used, watching };
}

test('behind traffic a monitor spends half of its quota at most, and sees what it sees without', async () => {
  const alone = await weekOf(test.info().outputPath('alone'), false);
  const behind = await weekOf(test.info().outputPath('behind'), true);
  const count = ({ slots }: Week, state: string): number =>
    slots.filter((slot) => slot.state === state).length;
  expect(behind.spent).toBeLessThanOrEqual(alone.spent / 2);
  expect(count(alone, 'run')).toBe(alone.slots.length);
  expect(behind.slots.map(({ scheduledAt }) => scheduledAt)).toEqual(
    alone.slots.map(({ scheduledAt }) => scheduledAt),
  );
  expect(count(behind, 'run') + count(behind, 'covered')).toBe(behind.slots.length);
  // The saved requests are not spent on anything else.
  expect(count(behind, 'run')).toBeLessThanOrEqual(behind.spent);
  const failed = ({ slots }: Week): number[] =>
    slots.flatMap(({ outcome, scheduledAt }) => (outcome === 'failed' ? [scheduledAt] : []));
  expect(failed(behind)).toEqual(failed(alone).slice(-failed(behind).length));
  // Good traffic just before it may hide the first of them, and no more.
  expect(failed(alone).length - failed(behind).length).toBeLessThanOrEqual(1);
  for (const slot of behind.slots)
    if (isIn({ from: night.from + 40 * minute, to: night.to }, slot.scheduledAt))
      expect(slot.state).toBe('run');
});

test('the report shows both parts of the coverage apart, and traffic as a watch of its own', async () => {
  const { watching, slots } = await weekOf(test.info().outputPath('reported'), true);
  const plan = {
    location: 'here',
    objectives: [],
    probes: [],
    maintenance: [],
    shares: {},
    versions: { candleproof: 'test', catalogue: 1 },
  };
  const { targets } = monitorNumbers(monitorView(await readFacts(watching.store, noon + week), plan));
  const covered = slots.filter(({ state }) => state === 'covered').length / slots.length;
  const [active, passive] = targets;
  expect(active).toMatchObject({ target: 'mainnet', source: 'active', watched: { coverage: 1 } });
  expect(active?.covered).toBeCloseTo(covered, 2);
  expect(active?.n).toBe(slots.filter(({ state }) => state === 'run').length);
  expect(passive).toMatchObject({ target: 'mainnet', source: 'passive', location: 'here', covered: null });
  expect(passive?.n).toBeGreaterThan(900);
});
