import { thousands } from '../../contract/reading/thousands.ts';
import type { ComparedRun, LoadComparison } from '../../load/comparison.ts';
import type { Compared, Estimate } from '../../load/estimates.ts';
import { percentText } from '../../planning/percent-text.ts';
import { rangeText } from '../monitor/format.ts';
import { msText, rateText } from './figures-text.ts';

/** One figure of both runs in words; `change` is empty where nothing changed. */
export type ComparisonRow = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
};

/** The table of a comparison. */
export function comparisonRows(comparison: LoadComparison): ComparisonRow[] {
  const { before, after, percentiles, errors, wrong } = comparison;
  const both = (name: string, of: (run: ComparedRun) => string): ComparisonRow => ({
    name,
    before: of(before),
    after: of(after),
    change: '',
  });
  return [
    both('verdict', (run) => run.verdict),
    { ...both('delivered', delivered), change: changeText(before.delivered, after.delivered) },
    both('timed', ({ timed }) => `n ${thousands(timed)}`),
    ...percentiles.map((each) => row(`p${100 * each.p}`, each, timeText)),
    ...errors.map((each) =>
      row(each.outcome, each, (one, of) =>
        shareText(one, of === 'before' ? before.outcomes[each.outcome] : after.outcomes[each.outcome]),
      ),
    ),
    ...(before.dropped + after.dropped > 0 ? [both('dropped', ({ dropped }) => thousands(dropped))] : []),
    both('judged', ({ judged }) => `n ${thousands(judged)}`),
    row('wrong', wrong, (one, of) => shareText(one, of === 'before' ? before.breached : after.breached)),
    both('gave way', gaveWay),
  ];
}

/** What the change column means, for a reader. */
export function comparisonCaveat({ undecided }: LoadComparison): string {
  return undecided === undefined
    ? '“More than noise” stands where the 95 % intervals of both runs have no value in common; they allow for requests that shared a stall, not for what differs from one run to the next, such as the hour or the network.'
    : `No difference is called more than noise: ${undecided}.`;
}

type Writer = (estimate: Estimate, of: 'before' | 'after') => string;

function row(name: string, { before, after, moved }: Compared, write: Writer): ComparisonRow {
  const change = before && after ? changeText(before.value, after.value) : '';
  return {
    name,
    before: before ? write(before, 'before') : 'unknown',
    after: after ? write(after, 'after') : 'unknown',
    change: moved ? [change, 'more than noise'].filter(Boolean).join(', ') : change,
  };
}

function timeText(estimate: Estimate): string {
  return `${msText(estimate.value)} (${rangeText(estimate, msText)})`;
}

function shareText(estimate: Estimate, n: number): string {
  return `${thousands(n)}, ${percentText(estimate.value)} (${rangeText(estimate, percentText)})`;
}

function delivered({ sent, planned, delivered: perSecond }: ComparedRun): string {
  return `${rateText(perSecond)} a second, ${thousands(sent)} of ${thousands(planned)} sent`;
}

function gaveWay({ breakpoint }: ComparedRun): string {
  return breakpoint ? `by ${breakpoint.by} at ${rateText(breakpoint.perSecond)} a second` : 'nowhere';
}

/** `+35 %`; empty where nothing changed, or from nothing. */
function changeText(before: number, after: number): string {
  if (before === after || before === 0) return '';
  const percent = Number(((100 * (after - before)) / before).toPrecision(2));
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
