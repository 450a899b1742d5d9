import type { EventRecord } from '../../results/results-store.ts';
import type { Episode, EpisodeKind, TruthRow } from './episodes.ts';
import { watchName } from './front.ts';
import type { PlayedLocation, PlayedTruth } from './play.ts';

/** Returns the facts that events, alerts and letters state. */
export function eventRows(
  location: PlayedLocation,
  { front }: PlayedTruth,
  events: readonly EventRecord[],
  episodes: readonly Episode[],
): TruthRow[] {
  const filterEvents = (kind: string): readonly EventRecord[] =>
    events.filter((event) => event.kind === kind);
  const countEpisodes = (...kinds: EpisodeKind[]): number =>
    episodes.filter(({ kind }) => kinds.includes(kind)).length;
  const alerts = events
    .filter(({ kind }) => kind.startsWith('alert-'))
    .map(({ kind, detail }) => `${kind} ${detail.notice}`);
  const steps = filterEvents('clock-set').map(({ detail }) =>
    / (ahead|back) by (\d+) s/.exec(String(detail.words)),
  );
  const set = episodes.flatMap((episode) => (episode.kind === 'clock' ? [episode.by, -episode.by] : []));
  const restated = front.restated.get(watchName(location.location, 'mainnet', 'history')) ?? 0;
  const firedAndResolved = (notice: string, n: number): string[] =>
    Array.from({ length: n }, () => [`alert-fired ${notice}`, `alert-resolved ${notice}`]).flat();
  return [
    {
      fact: 'alerts that were fired and resolved',
      truth: [
        ...firedAndResolved('clock', countEpisodes('clock')),
        ...firedAndResolved('coverage', countEpisodes('limit')),
        ...firedAndResolved('disk', countEpisodes('full')),
        ...(front.foreign > 0 ? ['alert-fired foreign-use'] : []),
        ...(restated > 0 ? ['alert-fired restatement'] : []),
      ].toSorted(),
      reported: alerts.toSorted(),
    },
    {
      fact: 'letters of the disk alarm',
      truth: Array.from({ length: countEpisodes('full') }, () => ['fired', 'resolved']).flat(),
      reported: location.letters,
    },
    {
      fact: 'times at which it was not running',
      truth: countEpisodes('stop'),
      reported: filterEvents('not-running').length,
    },
    {
      fact: 'steps of its clock',
      truth: set.map((by) => [by > 0 ? 'ahead' : 'back', String(Math.abs(by) / 1000)]),
      reported: steps.map((step) => step?.slice(1)),
    },
    { fact: 'restated candles', truth: restated, reported: filterEvents('restatement').length },
    {
      fact: 'new networks',
      truth: 0,
      reported: filterEvents('network-reset').length + filterEvents('past-accepted').length,
    },
    {
      fact: 'requests of others',
      truth: front.foreign,
      reported: filterEvents('foreign-use').reduce((sum, { detail }) => sum + Number(detail.n), 0),
    },
    { fact: 'months that ended', truth: countEpisodes('turn'), reported: filterEvents('roll-over').length },
    {
      fact: 'other events of the ledger',
      truth: [],
      reported: ['double-charge', 'stuck', 'backward', 'limit-changed', 'overage'].flatMap(filterEvents),
    },
    { fact: 'starts', truth: 1 + countEpisodes('restart'), reported: filterEvents('monitor-started').length },
  ];
}
