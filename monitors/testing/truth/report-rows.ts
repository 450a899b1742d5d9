import { monitorNumbers } from '../../page/numbers.ts';
import { listOutages } from '../../page/outages.ts';
import { readFacts } from '../../page/page-facts.ts';
import type { ReportedPlan } from '../../page/plan-facts.ts';
import { monitorPage } from '../../page/testing/first-page.ts';
import { monitorView } from '../../page/view.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import type { EventRecord } from '../../results/results-store.ts';
import { always } from '../watching.ts';
import { type Episode, type TruthRow, targets, watches } from './episodes.ts';
import type { FrontAnswer } from './front.ts';
import type { PlayedLocation, PlayedTruth } from './play.ts';
import { listTrueAnswers } from './slot-rows.ts';

const makePlan = (location: string): ReportedPlan => ({
  ...{ location, objectives: [], probes: [], maintenance: [], shares: {} },
  versions: { candleproof: 'test', catalogue: '000000000000' },
});

/** Returns the facts that the report's figures and the metrics of the key state. */
export async function reportRows(
  location: PlayedLocation,
  played: PlayedTruth,
  slots: readonly SlotRecord[],
): Promise<TruthRow[]> {
  // The report shows what a wrong clock dated once that time has come.
  const latest = Math.max(...played.shown);
  const numbers = monitorNumbers(
    monitorView(await readFacts(location.store, latest), makePlan(location.location)),
  );
  const perTarget = targets.flatMap((target): TruthRow[] => {
    const targetWatches = watches.filter(([name]) => name === target);
    const truth = targetWatches.flatMap(([, probe]) => listTrueAnswers(location, played, target, probe));
    const count = (...wanted: FrontAnswer[]): number =>
      truth.filter((answer) => answer && wanted.includes(answer)).length;
    const answered = count('ok', 'wrong');
    const found = numbers.targets.find((figures) => figures.target === target);
    const planned = slots.filter(({ series }) => series.target === target);
    const ran = location.ran.filter(({ series }) => series.target === target);
    return [
      { fact: `${target}: slots judged`, truth: answered + count('failed'), reported: found?.n },
      {
        fact: `${target}: availability`,
        truth: answered / (answered + count('failed')),
        reported: found?.availability,
      },
      { fact: `${target}: correctness`, truth: count('ok') / answered, reported: found?.correctness },
      {
        fact: `${target}: slots that ran of those planned`,
        truth: ran.length / planned.length,
        reported: found?.watched?.coverage,
      },
    ];
  });
  const [key] = numbers.keys;
  const { month, foreign } = played.front;
  const [metric] = location.metrics.figures.quotas;
  return [
    ...perTarget,
    // Its newest answer may be a request of the other location's older than the newest of all.
    {
      fact: 'requests that are left of the key’s month',
      truth: true,
      reported: key?.remaining !== null && Math.abs((key?.remaining ?? 0) - (month.limit - month.used)) <= 2,
    },
    { fact: 'the same in the metrics', truth: key?.remaining, reported: metric?.remaining },
    { fact: 'reset of the key', truth: new Date(month.reset).toISOString(), reported: key?.resetAt },
    {
      fact: 'requests of others in the metrics',
      truth: foreign,
      reported: location.happened.foreign.get('main') ?? 0,
    },
  ];
}

/** Returns the facts of the outages; the sure bound of one is never beyond the longest episode at its target. */
export async function outageRows(
  location: PlayedLocation,
  played: PlayedTruth,
  episodes: readonly Episode[],
): Promise<TruthRow[]> {
  const outages = listOutages(await location.store.incidents(always), played.clock.now());
  return targets.flatMap((target): TruthRow[] => {
    const targetEpisodes = episodes.filter(
      (episode) => 'target' in episode && episode.target === target && isOutage(episode),
    );
    const longest = 1000 * Math.max(0, ...targetEpisodes.map(({ length }) => length));
    const found = outages.filter(
      ({ incident }) => incident.target === target && incident.indicator === 'availability',
    );
    return [
      {
        fact: `${target}: slots without an answer in outages`,
        truth: watches
          .filter(([name]) => name === target)
          .flatMap(([, probe]) => listTrueAnswers(location, played, target, probe))
          .filter((answer) => answer === 'failed').length,
        reported: found.reduce((sum, { incident }) => sum + incident.slots, 0),
      },
      {
        fact: `${target}: outages that ended`,
        truth: found.length,
        reported: found.filter(({ incident }) => incident.end !== undefined).length,
      },
      {
        fact: `${target}: outages that lasted surely longer than any did`,
        truth: [],
        reported: found.filter(({ least }) => least > longest).map(({ least }) => least),
      },
    ];
  });
}

function isOutage({ kind }: Episode): boolean {
  return kind === 'refuse' || kind === 'hang' || kind === 'lose' || kind === 'flap';
}

/** Whatever interrupted the monitor is named on its page, as the reason of the slots that it cost too. */
export async function pageRows(
  location: PlayedLocation,
  { shown }: PlayedTruth,
  events: readonly EventRecord[],
): Promise<TruthRow[]> {
  const { store } = location;
  const page = monitorPage(await readFacts(store, Math.max(...shown)), makePlan(location.location));
  const isShown = (words: string): boolean => page.includes(words.replaceAll("'", '&#39;'));
  const listMessages = (...kinds: string[]): string[] =>
    events.filter(({ kind }) => kinds.includes(kind)).map(({ detail }) => String(detail.words));
  const interruptions = listMessages('not-running', 'disk-full');
  const slots = await store.slots(always);
  const missed = new Set(slots.flatMap(({ state, reason }) => (state === 'missed' ? [reason ?? ''] : [])));
  const foreign = events.filter(({ kind }) => kind === 'foreign-use');
  const requests = foreign.reduce((sum, { detail }) => sum + Number(detail.n), 0);
  return [
    {
      fact: 'interruptions and clock steps that the page does not name',
      truth: [],
      reported: [...interruptions, ...listMessages('clock-set')].filter((instant) => !isShown(instant)),
    },
    {
      fact: 'slots missed for another reason than an interruption',
      truth: [],
      reported: [...missed].filter((instant) => !interruptions.includes(instant)),
    },
    {
      fact: 'the page names the requests of others',
      truth: requests > 0,
      reported: page.includes('that we did not send'),
    },
  ];
}
