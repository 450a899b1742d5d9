import type { SlotRecord } from '../../results/probe-record.ts';
import type { Episode, TruthRow } from './episodes.ts';
import { type FrontAnswer, watchName } from './front.ts';
import type { PlayedLocation, PlayedTruth } from './play.ts';

type Watched = {
  readonly target: string;
  readonly probe: string;
  readonly episodes: readonly Episode[];
};

/** The last answer that each slot was given: its requests follow each other. */
function listOutcomes(
  ran: readonly SlotRecord[],
  answers: readonly FrontAnswer[],
): (FrontAnswer | undefined)[] {
  let taken = 0;
  return ran.map(({ samples }) => {
    taken += samples.length;
    return answers[taken - 1];
  });
}

function slotAnswer({ outcome, failure }: SlotRecord): string | undefined {
  return outcome === 'failed' && failure?.phase === 'contract' ? 'wrong' : outcome;
}

/** Returns how each slot of a probe was answered in the end, as the front knows it. */
export function listTrueAnswers(
  location: PlayedLocation,
  played: PlayedTruth,
  target: string,
  probe: string,
): (FrontAnswer | undefined)[] {
  const ran = location.ran.filter(({ series }) => series.target === target && series.probe === probe);
  const looked = ran.filter(({ outcome }) => outcome !== 'excluded');
  return listOutcomes(looked, played.front.answers.get(watchName(location.location, target, probe)) ?? []);
}

/** Returns the facts of one probe's slots. */
export function watchRows(
  location: PlayedLocation,
  played: PlayedTruth,
  slots: readonly SlotRecord[],
  { target, probe, episodes }: Watched,
): TruthRow[] {
  const probeSlots = slots.filter(({ series }) => series.target === target && series.probe === probe);
  const ran = location.ran.filter(({ series }) => series.target === target && series.probe === probe);
  const truth = listTrueAnswers(location, played, target, probe);
  const answers = played.front.answers.get(watchName(location.location, target, probe)) ?? [];
  const excluded = ran.filter(({ outcome }) => outcome === 'excluded').map(({ scheduledAt }) => scheduledAt);
  const [series] = location.metrics.figures.series.filter(
    (watched) => watched.series.target === target && watched.series.probe === probe,
  );
  const count = (...wanted: FrontAnswer[]): number =>
    truth.filter((answer) => answer && wanted.includes(answer)).length;
  const name = `${target}/${probe}`;
  return [
    {
      fact: `${name}: each instant that the clock showed has its row, and no other has one`,
      truth: location.listPlanned(target, probe, played.shown),
      reported: probeSlots.map(({ scheduledAt }) => scheduledAt),
    },
    {
      fact: `${name}: requests`,
      truth: answers.length,
      reported: ran.reduce((sum, { samples }) => sum + samples.length, 0),
    },
    {
      fact: `${name}: outcome of each slot that ran`,
      truth,
      reported: ran.filter(({ outcome }) => outcome !== 'excluded').map(slotAnswer),
    },
    {
      fact: `${name}: slots in planned work`,
      truth: probeSlots
        .map(({ scheduledAt }) => scheduledAt)
        .filter((at) => isMaintained(target, at, episodes)),
      reported: excluded,
    },
    {
      fact: `${name}: outcomes in the metrics`,
      truth: [count('ok'), count('failed', 'wrong'), count('limited'), excluded.length],
      reported: ['ok', 'failed', 'limited', 'excluded'].map(
        (outcome) => series?.outcomes.get(outcome as 'ok') ?? 0,
      ),
    },
  ];
}

/** Planned work as the clocks on the wall show it: by the platform's calendar. */
function isMaintained(target: string, instant: number, episodes: readonly Episode[]): boolean {
  if (target !== 'testnet') return false;
  const time = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(instant);
  return episodes.some((episode) => episode.kind === 'maintain' && episode.from <= time && time < episode.to);
}
