import { minWatchedShare } from '@candleproof/law/planning/confidence';
import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { durationText, instantText, plural, roughText, unknown } from '@candleproof/reports/words/format';
import { day } from '../results/calendar.ts';
import type { Indicator, ProbeOutcome } from '../results/probe-record.ts';
import type { EventRecord, QuotaRecord } from '../results/results-store.ts';
import { daysJudged, daysShown, lastDays } from './days.ts';
import type { ObjectiveResult, ObjectiveState } from './estimates.ts';
import { type LedgerKind, readNumber, readText } from './events.ts';
import type { WatchedOperation } from './judged-days.ts';
import type { MonitorFacts } from './page-facts.ts';
import type { ReportedObjective } from './plan-facts.ts';
import type { Watched } from './watches.ts';

export const objectiveWords: Readonly<Record<ObjectiveState, string>> = {
  met: 'met',
  missed: 'missed',
  undecided: 'not decided',
};

export const indicatorMeanings: Readonly<Record<Indicator, string>> = {
  availability: 'an answer came',
  latency: 'it came in time',
  freshness: 'its newest candle was young enough',
  correctness: 'it broke none of the musts that are judged',
};

export const outcomeMeanings: Readonly<Record<ProbeOutcome, string>> = {
  ok: 'answered as it has to be',
  degraded: 'answered, but slow, stale or against good practice',
  failed: 'no answer, or one that breaks a must, twice',
  limited: 'we were rate limited, our quota was spent or our key refused: says nothing of the service',
  unknown: 'the monitor itself failed or ended: says nothing of the service',
  excluded: 'planned work: says nothing of the service',
};

/** Returns the name of an operation in the document, or a title for a probe of several. */
export function operationTitle(operation: WatchedOperation): string {
  return operation === 'all' ? 'Deep probe, several operations' : operation;
}

/** `99.5 % availability`, `99 % latency under 2 s`. */
export function objectiveText({ indicator, objective, under }: ReportedObjective): string {
  const limit = under === undefined ? '' : ` under ${under < 1000 ? `${under} ms` : durationText(under)}`;
  return `${formatPercent(objective)} ${indicator}${limit}`;
}

/** Words the period of figures: empty for all of the requested time, or `watched 7 min of 30 d`. */
export function watchedText(watched: Watched | undefined): string {
  if (!watched) return `nothing was watched in ${daysJudged} d`;
  const { from, to, share } = watched;
  return share === 1 ? `the last ${daysJudged} days` : `watched ${roughText(to - from)} of ${daysJudged} d`;
}

/** Words the period of charts, incidents and findings: `in the last 90 days`, or `since 2026-11-20 09:33 UTC`. */
export function shownText({ extent, now }: Pick<MonitorFacts, 'extent' | 'now'>): string {
  const [first = now] = lastDays(now, daysShown);
  if (!extent || extent.from < first + day) return `in the last ${daysShown} days`;
  return `since ${instantText(extent.from)} UTC`;
}

/** Explains an objective's state in one sentence. */
export function judgementSentence(result: ObjectiveResult): string {
  const { objective, standing, measured, proven, needed, looked } = result;
  if (!measured) return 'Nothing was measured.';
  const promised = formatPercent(objective.objective);
  if (looked < minWatchedShare) {
    return `${formatPercent(looked)} of ${daysJudged} d was looked at; a verdict takes ${formatPercent(minWatchedShare)}.`;
  }
  if (standing === 'met') return `The sample proves ${formatPercent(proven)}.`;
  if (standing === 'missed') return `Even the top of the interval lies below ${promised}.`;
  if (measured.good === measured.total) {
    const all = `All ${thousands(measured.total)} good prove ${formatPercent(proven)}`;
    return Number.isFinite(needed)
      ? `${all}; ${promised} takes ${thousands(needed)} in a row.`
      : `${all}; no sample proves 100 %.`;
  }
  const side = measured.share < objective.objective ? 'below' : 'above';
  return `Measured ${side} ${promised}, which lies in the interval; the sample proves ${formatPercent(proven)}.`;
}

/** `3,525 of 10,000`, or the requests beyond the limit for a key that has nothing left. */
export function leftText({ limit, remaining, additional }: QuotaRecord): string {
  if (remaining === 0 && additional > 0) return `nothing: ${beyondText(additional)} of ${thousands(limit)}`;
  const beyond = additional > 0 ? `, and ${thousands(additional)} beyond it` : '';
  return `${thousands(remaining)} of ${thousands(limit)}${beyond}`;
}

/** Words requests beyond a limit. */
export function beyondText(additional: number): string {
  return `${thousands(additional)} beyond its limit`;
}

/** Words an event of the ledger in one sentence. */
export function ledgerSentence(event: EventRecord, kind: LedgerKind): string {
  const n = readNumber(event, 'n') ?? Number.NaN;
  const [from, to] = [readNumber(event, 'from'), readNumber(event, 'to')];
  const of = readText(event, 'of');
  const written = (value: number | undefined): string => (value === undefined ? unknown : thousands(value));
  switch (kind) {
    case 'foreign-use':
      return `${requests(n)} that we did not send`;
    case 'double-charge':
      return `each request costs ${written(readNumber(event, 'extra'))} more`;
    case 'stuck':
      if (of === 'reset') return `the reset is overdue by ${durationText(n)}`;
      return of === 'month' ? `${requests(n)} kept over the reset` : `${requests(n)} of ours not counted`;
    case 'backward':
      return of === 'reset'
        ? `the reset moved back by ${durationText(n)}`
        : `counted ${requests(n)} less than before`;
    case 'later-reset':
      return `the reset moved on by ${durationText(n)} before it was reached`;
    case 'limit-changed':
      return `from ${written(from)} to ${written(to)} a month`;
    case 'overage':
      return `${requests(n)} beyond the limit`;
    case 'roll-over':
      return `counts anew, until ${to === undefined ? unknown : instantText(to)}`;
  }
}

function requests(n: number): string {
  return Number.isFinite(n) ? plural(n, 'request') : 'requests';
}
