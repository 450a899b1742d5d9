import { thousands } from '../contract/thousands.ts';
import type { Level, Outcome, RecordedEntries, RuleResult, Run } from '../contract/verdict.ts';
import { operationWords, outcomes } from './wording.ts';

/** The monthly allowance that shares are told of, so that runs against different keys compare. */
export const month = 10_000;

/** How many rules of one level came to which outcome. */
export type Tally = { readonly total: number; readonly by: Readonly<Record<Outcome, number>> };

export function tally(rules: readonly RuleResult[], level: Level): Tally {
  return tallyOf(rules.filter((each) => each.level === level).map((each) => each.outcome));
}

/** The same of any outcomes. */
export function tallyOf(all: readonly Outcome[]): Tally {
  const by = { passed: 0, failed: 0, known: 0, surprised: 0, inconclusive: 0, unexercised: 0 };
  for (const outcome of all) by[outcome] += 1;
  return { total: all.length, by };
}

/** `58 passed, 3 failed, 4 unexercised`. */
export function countsInWords(rules: readonly RuleResult[], level: Level): string {
  const { by } = tally(rules, level);
  const told = outcomes.filter((each) => each !== 'passed' && by[each] > 0);
  return [`${by.passed} passed`, ...told.map((each) => `${by[each]} ${each}`)].join(', ');
}

/** `21 requests, 0.21 % of a month of 10,000 (budget 33)`; a judged recording has sent none. */
export function requestsInWords({ sent, budget }: Run['requests']): string {
  if (budget === 0) return 'none sent: this judges a recording';
  return `${plural(sent, 'request')}, ${monthShare(sent)} of a month of ${thousands(month)} (budget ${thousands(budget)})`;
}

/** `44 of 61 entries judged, 17 skipped: other host 12, no response 5` */
export function entriesInWords({ recorded, judged, skipped }: RecordedEntries): string {
  const reasons = skipped.map(({ reason, count }) => `${reason} ${thousands(count)}`).join(', ');
  const rest = reasons === '' ? '' : `, ${thousands(recorded - judged)} skipped: ${reasons}`;
  return `${thousands(judged)} of ${thousands(recorded)} entries judged${rest}`;
}

/** Share of the monthly allowance in per cent: `0.21 %`. */
export function monthShare(requests: number): string {
  return `${Number(((100 * requests) / month).toFixed(2))} %`;
}

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export { thousands };

/** How often a finding was seen: `once`, `12 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${thousands(count)} times`;
}

/** One sentence that says why the verdict is what it is. */
export function verdictSentence(run: Run): string {
  const { total, by } = tally(run.rules, 'must');
  if (run.verdict === 'nonconformant') return `${thousands(by.failed)} of ${plural(total, 'must')} failed.`;
  if (run.verdict === 'inconclusive') return `${capital(run.reason ?? 'The target could not be judged')}.`;
  const open = by.unexercised + by.inconclusive;
  const held = open > 0 ? 'Every must that could be put to the test holds' : 'Every must holds';
  return by.known > 0 ? `${held}, but for ${by.known} that the baseline knows.` : `${held}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Rules that were left without a judgement, under the reason that they share. */
export function leftOpen(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const open = rules.filter(
    ({ level, outcome }) => level !== 'observe' && (outcome === 'unexercised' || outcome === 'inconclusive'),
  );
  return Map.groupBy(open, (each) => each.reason ?? 'no reason was given');
}

/** The statement of a finding's rule; a run from elsewhere may lack it. */
export function ruleOf(run: Run, id: string): RuleResult | undefined {
  return run.rules.find((each) => each.id === id);
}

/** `status 503 twice at GET /tokens, gone when asked again`; undefined where nothing failed on the way. */
export function transientInWords({ transient }: Run): string | undefined {
  if (transient.length === 0) return undefined;
  const told = transient.map(
    ({ operation, failure, count }) => `${failure} ${times(count)} at ${operationWords[operation].request}`,
  );
  return `${told.join(', ')}: gone when asked again`;
}
