import { leastWatched } from '@candleproof/law/planning/confidence';
import { formatPercent } from '@candleproof/law/planning/format-percent';
import { thousands } from '@candleproof/law/reading/thousands';
import { listSome, plural } from '@candleproof/reports/words/counts';
import { clip } from '@candleproof/reports/words/escape';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { daysJudged } from '@candleproof/reports/words/spans';
import type { Indicator } from '../../results/probe-record.ts';
import { moreToDecide, type ObjectiveResult } from '../estimates.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { objectiveText } from '../wording.ts';
import { monitorVerdict } from './proven.ts';

/** Good answers of each indicator. */
const goodWords: Readonly<Record<Indicator, string>> = {
  availability: 'answers',
  correctness: 'right answers',
  latency: 'fast answers',
  freshness: 'fresh answers',
};

const mostNamed = 2;
const longestName = 60;

type Undecided = { readonly watch: WatchSummary; readonly result: ObjectiveResult };

/** Renders the verdict on all objectives, and once for each objective what would decide it where it is not decided. */
export function undecidedPart(view: MonitorSummary): Markup {
  const { title, sentence } = monitorVerdict(view);
  const lines = view.plan.objectives.flatMap((objective) => {
    const open = view.watches.flatMap((watch): Undecided[] =>
      watch.judgements
        .filter((result) => result.objective === objective && result.standing === 'undecided')
        .map((result) => ({ watch, result })),
    );
    return open.length > 0 ? [undecidedLine(objectiveText(objective), open, view.watches.length)] : [];
  });
  return markup`<section id="proven" class="undecided" aria-label="Objectives"><p><b>${title}.</b> ${sentence}${lines.length > 0 && ' What would decide the rest:'}</p>${lines.length > 0 && markup`<ul>${lines}</ul>`}</section>`;
}

function undecidedLine(name: string, open: readonly Undecided[], all: number): Markup {
  const early = open.filter(({ result }) => result.looked < leastWatched);
  const late = open.filter(({ result }) => result.looked >= leastWatched);
  const flawless = late.filter(({ result: { measured } }) => measured && measured.good === measured.total);
  const flawed = late.filter(({ result: { measured } }) => measured && measured.good < measured.total);
  const parts = [
    ...(flawless.length > 0 ? [flawlessText(flawless)] : []),
    ...(flawed.length > 0 ? [flawedText(flawed)] : []),
    ...(early.length > 0
      ? [
          `${plural(early.length, 'row')} watched for less than ${formatPercent(leastWatched)} of ${daysJudged} d: more days`,
        ]
      : []),
    ...(late.length > flawless.length + flawed.length
      ? [`${late.length - flawless.length - flawed.length} not measured`]
      : []),
  ];
  return markup`<li><b>${name}</b>, ${open.length} of ${plural(all, 'row')}: ${parts.join('; ')}.</li>`;
}

/** `28 rows without a bad answer: 2,518 more right answers within 30 d, 3,838 in a row`. */
function flawlessText(open: readonly Undecided[]): string {
  const more = open.flatMap(({ result }) => moreToDecide(result) ?? []);
  const had = `${plural(open.length, 'row')} without a bad answer`;
  const [first] = open;
  if (more.length === 0 || !first) return `${had}: no sample proves 100 %`;
  const { objective, needed } = first.result;
  return `${had}: ${rangeText(more)} more ${goodWords[objective.indicator]} within ${daysJudged} d, ${thousands(needed)} in a row`;
}

/** `mainnet from fra1: about 3,200 more answers as good as those so far`. */
function flawedText(open: readonly Undecided[]): string {
  if (open.length > mostNamed) {
    const more = open.flatMap(({ result }) => moreToDecide(result) ?? []);
    return more.length === 0
      ? `${plural(open.length, 'row')} too near to it for a verdict`
      : `${plural(open.length, 'row')} with bad answers: about ${rangeText(more)} more answers as good as those so far`;
  }
  const named = open.map(({ watch: { watch }, result }) => {
    const more = moreToDecide(result);
    const words =
      more === undefined
        ? 'too near to it for a verdict'
        : `about ${thousands(more)} more answers as good as so far`;
    return `${clip(watchName(watch), longestName)}: ${words}`;
  });
  return listSome(named, mostNamed);
}

function rangeText(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
}
