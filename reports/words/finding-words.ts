import { coversFinding } from '@candleproof/law/judge/known-failings';
import type {
  BaselineResult,
  Example,
  Finding,
  KnownStatus,
  RuleResult,
  Run,
} from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import { brokenRule } from './consequence.ts';
import { clip } from './escape.ts';
import { formatTimes, plural } from './format.ts';
import { describeOperation } from './wording.ts';

/** Characters of a value in a message that CI pages show in one line. */
const longestValue = 200;

/** `expected 3; actual 4`, in one line whose length is bounded. */
export function describeMismatch({ expected, actual }: Pick<Example, 'expected' | 'actual'>): string {
  return `expected ${clip(expected, longestValue)}; actual ${clip(actual, longestValue)}`;
}

/** Returns a finding in full, each value on a separate line. */
export function findingLines(finding: Finding): string[] {
  const { expected, actual, intermittent, replay } = finding;
  return [
    `${describeOperation(finding).request} at ${placeName(finding)}`,
    `expected: ${expected}`,
    `actual:   ${actual}`,
    `seen: ${formatExtent(finding)}${intermittent ? ', intermittent' : ''}, first in ${exchangeName(finding)}${firstCandle(finding)}`,
    `replay:   ${replay}`,
  ];
}

/**
 * Formats the share of judged evidence that a finding concerns: `in 1,395 of 2,016 candles`, `12 times, in 8 of 168
 * candles`.
 */
export function formatExtent({
  count,
  extent,
  pattern,
}: Pick<Finding, 'count' | 'extent' | 'pattern'>): string {
  const shared = pattern === undefined ? '' : `, ${pattern}`;
  if (!extent) return `${formatTimes(count)}${shared}`;
  const { broken, judged, unit } = extent;
  const share = `in ${thousands(broken)} of ${plural(judged, unit)}${shared}`;
  return count === broken ? share : `${formatTimes(count)}, ${share}`;
}

/** Returns a finding's rule; the run may lack it. */
export function findRule(run: Pick<Run, 'rules'>, id: string): RuleResult | undefined {
  return run.rules.find((rule) => rule.id === id);
}

/** Words a finding as a heading, without a full stop: its sentence, the words of its broken rule, or the rule's statement. */
export function describeBreach({ rule, sentence }: Finding, run: Pick<Run, 'rules'>): string {
  return sentence?.replace(/\.$/, '') ?? brokenRule(rule) ?? findRule(run, rule)?.statement ?? rule;
}

/** Words a finding as a full sentence: its own, or the statement of its rule. */
export function findingSentence({ rule, sentence }: Finding, run: Run): string {
  return sentence ?? findRule(run, rule)?.statement ?? rule;
}

/** Names an exchange by its number in the HAR of the run, or by its place in the judged file. */
export function exchangeName({ exchange, place }: Pick<Example, 'exchange' | 'place'>): string {
  return place === undefined ? `exchange ${exchange}` : `exchange ${exchange} (${place})`;
}

/** `, candle listCandles-c-1-1h-1762905600`: the address of the first candle in question; empty if it is about none. */
export function firstCandle({ address }: Pick<Finding, 'address'>): string {
  return address === undefined ? '' : `, candle ${address}`;
}

/** Words the pointer of a finding: an empty one is the whole body; `close (/6/4)` where a position says nothing. */
export function placeName({ pointer, field }: Pick<Finding, 'pointer' | 'field'>): string {
  if (pointer === '') return 'the whole body';
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return field !== undefined && name.length < 3 ? `${field} (${pointer})` : pointer;
}

export type KnownEntry = BaselineResult['known'][number];
/** Returns the baseline's known failures that have this status in the run. */
export function baselineEntries(status: KnownStatus, { baseline }: Pick<Run, 'baseline'>): KnownEntry[] {
  return baseline?.known.filter((acceptance) => acceptance.status === status) ?? [];
}

/** Returns whether the baseline accepts a finding, or did until an expired date. */
export function baselineStatus(finding: Finding, run: Run): 'known' | 'expired' | undefined {
  if (finding.known) return 'known';
  const listed = [...baselineEntries('known', run), ...baselineEntries('expired', run)];
  return coversFinding(listed, finding) ? 'expired' : undefined;
}

/** `until 2026-01-31: agreed with the operator`; a reason may still be missing. */
export function describeAcceptance({ reason, until }: { reason: string; until: string }): string {
  return `until ${until}: ${reason.trim() || 'no reason given'}`;
}

/** Most findings that are reported in full, because drawings are expensive for a browser. */
export const maxInFull = 50;
