import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { answeredList, type Distort, damageExchange, fields } from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { usualWorld, type World } from '../../worlds/world.ts';

/** Three minutes before a Wednesday begins, in the third day of a week; and some minutes later. */
const evening = Date.parse('2026-03-17T23:56:40Z') / 1000;
export const night = evening + 400;

/** Requests that the first run is charged for. */
const countedRequests = 28;
const choice: Partial<World> = { now: evening, prices: 'gentle', seed: 3 };
export const beforeMidnight: World = { ...usualWorld, ...choice };

/** Joins the evidence of several runs, like the judge of several recordings. */
export function joinRuns(...runs: readonly NamedRecording[]): NamedRecording {
  const [first] = runs as [NamedRecording];
  const exchanges = runs.flatMap(({ recording }) => recording.exchanges);
  return { ...first, recording: { ...first.recording, exchanges } };
}

/** A second run, whose requests continue the count. */
export function replayLater(
  damage: Distort,
  name = 'recent WEEK',
  now = night,
  market: World = beforeMidnight,
): NamedRecording {
  const used = usualWorld.quota.used + countedRequests;
  const world = { ...market, now, quota: { ...usualWorld.quota, used } };
  return damageExchange(record(world), name, damage);
}

/** Moves an average by this share of the way from the one before to the later low, or to the high. */
export function carryWeight(share: number, to: 'low' | 'high', name = 'recent WEEK'): Distort {
  const avg = Number(answeredList(record(beforeMidnight), name).at(-1)?.avg);
  return fields(-1, (week) => ({ avg: avg + share * (Number(week[to]) - avg) }));
}

export const openAverageBreaches: readonly BreachCase[] = [
  {
    rule: 'rollup/open-average-keeps-its-past',
    what: 'a week that forgot its average overnight',
    world: choice,
    whole: (evening) => joinRuns(evening, replayLater(carryWeight(0.5, 'low'))),
    pointer: '/*/avg',
    expected:
      /^within \[[\d.]+, [\d.]+\]: no more than 17 minutes since 2026-03-17T23:46:4\dZ beside 89 or more before$/,
    actual: /^[\d.]+$/,
    drawn: 2,
  },
];

export const openAverageNearMisses: readonly NearMiss[] = [
  {
    rule: 'rollup/open-average-keeps-its-past',
    what: 'a week whose average new minutes could just move so far',
    world: choice,
    whole: (evening) => joinRuns(evening, replayLater(carryWeight(0.1, 'low'))),
  },
];
