import { minWatchedShare } from '@candleproof/law/planning/confidence';
import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { clip } from '@candleproof/reports/words/escape';
import { listSome, plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { Indicator } from '../../results/probe-record.ts';
import { daysJudged } from '../days.ts';
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
  const early = open.filter(({ result }) => result.looked < minWatchedShare);
  const late = open.filter(({ result }) => result.looked >= minWatchedShare);
  const flawless = late.filter(({ result: { measured } }) => measured && measured.good === measured.total);
  const flawed = late.filter(({ result: { measured } }) => measured && measured.good < measured.total);
  const parts = [
    ...(flawless.length > 0 ? [flawlessText(flawless)] : []),
    ...(flawed.length > 0 ? [flawedText(flawed)] : []),
    ...(early.length > 0
      ? [
          `${plural(early.length, 'row')} watched for less than ${formatPercent(minWatchedShare)} of ${daysJudged} d: more days`,
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
  const fewest = Math.min(...open.map(({ result: { measured } }) => measured?.independent ?? 1));
  const isWhole = open.every(({ result: { looked } }) => looked > 0.95);
  const pace = isWhole
    ? `, such as of probes ${(Math.ceil((10 * needed) / fewest) / 10).toString()} times as often`
    : '';
  return `${had}: ${rangeText(more)} more ${goodWords[objective.indicator]} within ${daysJudged} d (${thousands(needed)} in a row)${pace}`;
}

/** `testnet from fra1: about 1,961 more answers as good as so far`; those that no schedule decides are named last. */
function flawedText(open: readonly Undecided[]): string {
  const counted = open.map((one) => ({ ...one, more: moreToDecide(one.result) }));
  const near = counted.filter(({ more }) => more === undefined);
  const far = counted.filter(({ more }) => more !== undefined);
  const counts = far.flatMap(({ more }) => more ?? []);
  return [
    ...(far.length > 0
      ? [`${namesText(far)}: about ${rangeText(counts)} more answers as good as so far`]
      : []),
    ...(near.length > 0 ? [`${namesText(near)}: too near to it for any schedule`] : []),
  ].join('; ');
}

function namesText(some: readonly Undecided[]): string {
  return listSome(
    some.map(({ watch: { watch } }) => clip(watchName(watch), longestName)),
    mostNamed,
  );
}

function rangeText(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
}
