import { always } from '../watching.ts';
import { type Episode, type TruthRow, watches } from './episodes.ts';
import { eventRows } from './event-rows.ts';
import type { PlayedLocation, PlayedTruth } from './play.ts';
import { outageRows, pageRows, reportRows } from './report-rows.ts';
import { watchRows } from './slot-rows.ts';

/** Returns every fact that the slots, report, page, metrics and messages of each location state. */
export async function truthRows(played: PlayedTruth, episodes: readonly Episode[]): Promise<TruthRow[]> {
  const rows = await Promise.all(
    played.played.map((playedLocation) => readRows(playedLocation, played, episodes)),
  );
  return rows.flat();
}

async function readRows(
  location: PlayedLocation,
  played: PlayedTruth,
  episodes: readonly Episode[],
): Promise<TruthRow[]> {
  const { store } = location;
  const events = await store.events(always);
  const slots = await store.slots(always);
  const rows = [
    ...watches.flatMap(([target, probe]) => watchRows(location, played, slots, { target, probe, episodes })),
    ...(await reportRows(location, played, slots)),
    ...eventRows(location, played, events, episodes),
    ...(await outageRows(location, played, episodes)),
    ...(await pageRows(location, played, events)),
    ...viewRows(location, played),
  ];
  return rows.map((row) => ({ ...row, fact: `${location.location}: ${row.fact}` }));
}

function viewRows({ ticking }: PlayedLocation, { clock }: PlayedTruth): TruthRow[] {
  return (ticking?.alertingMonitor.coverage ?? []).flatMap(({ target, seen, blindSince }) => [
    { fact: `${target}: judged at the end`, truth: undefined, reported: blindSince },
    {
      fact: `${target}: age of the newest judged slot is below 40 s`,
      truth: true,
      reported: clock.now() - (seen.judged ?? 0) < 40_000,
    },
  ]);
}
