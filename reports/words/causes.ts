import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import { rankConsequence } from '@candleproof/law/rules/catalogue';
import { levelRank } from '@candleproof/law/rules/facts';
import { findProofs, shareFault } from '../kill-matrix/proofs.ts';
import { consequenceWords } from './consequence.ts';
import { describeBreach, findingSentence } from './finding-words.ts';
import { formatTimes, listSome, plural, sum } from './format.ts';
import { headline } from './headline.ts';
import { verdictSentence } from './tally.ts';

/** A finding with the number that all reports give it. */
export type NumberedFinding = { readonly finding: Finding; readonly number: number };

/** A broken rule, and those that most likely broke with it: some fault breaks both, and one response shows both. */
export type FindingCause = ReturnType<typeof findCauses>[number];

type Together = [NumberedFinding, ...NumberedFinding[]];

/** Returns the causes of a run's failures, the worst consequence first; causes in the baseline come last. */
export function findCauses(run: Pick<Run, 'findings' | 'rules' | 'explanations'>) {
  const numbered = run.findings
    .map((finding, index) => ({ finding, number: index + 1 }))
    .toSorted((a, b) => causeRank(a) - causeRank(b));
  const explained = gatherExplained(run, numbered);
  const folded = new Set(explained.flatMap(({ findings }) => findings));
  const causes: Together[] = [];
  const byRule = new Map<string, Together[]>();
  for (const entry of numbered.filter((one) => !folded.has(one))) {
    const { rule } = entry.finding;
    const related = [...new Set([rule, ...findProofs(rule).flatMap(({ foundBy }) => foundBy)])]
      .flatMap((id) => byRule.get(id) ?? [])
      .find((cause) => cause.some((other) => isOneCause(entry.finding, other.finding)));
    if (related) related.push(entry);
    else causes.push([entry]);
    const cause = related ?? causes.at(-1);
    const known = byRule.get(rule) ?? [];
    if (cause && !known.includes(cause)) byRule.set(rule, [...known, cause]);
  }
  const hidden = Map.groupBy(run.rules, ({ hiddenBy }) => hiddenBy);
  const all: Explained[] = [...explained, ...causes.map((findings) => ({ findings }))];
  all.sort((a, b) => explainedRank(a) - explainedRank(b));
  return all.map(({ findings, sentence, explanation }) => ({
    /** Rank of the consequence of its worst rule. */
    consequence: rankConsequence(findings[0].finding.rule),
    /** Its findings, those of the worst rule first. */
    findings,
    /** Says what the data show to be wrong, if they do. */
    sentence,
    explanation,
    /** Rules that had nothing to judge because of it. */
    hides: [...new Set(findings.map(({ finding }) => finding.rule))].flatMap((id) => hidden.get(id) ?? []),
  }));
}

/** An explanation as a run reports it. */
export type RunExplanation = NonNullable<Run['explanations']>[number];

/** Findings of one cause, and what explains them. */
type Explained = {
  readonly findings: Together;
  readonly sentence?: string;
  readonly explanation?: RunExplanation;
};

/** Ranks what is explained before all that is not, in the order of the explanations; else the worst consequence first. */
function explainedRank({ findings, sentence }: Explained): number {
  return sentence === undefined ? causeRank(findings[0]) : -1;
}

/** Gathers new findings by what explains them; what explains no further finding is said beside the explanation before it. */
function gatherExplained(
  { explanations = [] }: Pick<Run, 'explanations'>,
  numbered: readonly NumberedFinding[],
): Explained[] {
  const left = new Set(numbered.filter(({ finding }) => finding.known === undefined));
  const found: { findings: Together; sentence: string; explanation: RunExplanation }[] = [];
  for (const explanation of explanations) {
    const { sentence, findings } = explanation;
    // There may be thousands.
    const places = new Map(findings.map((fingerprint, place) => [fingerprint, place]));
    const findPlace = ({ fingerprint }: Finding): number => places.get(fingerprint) ?? -1;
    const own = [...left].filter(({ finding }) => places.has(finding.fingerprint));
    // Those of the part that is wrong show it best.
    own.sort(
      ({ finding: a }, { finding: b }) =>
        levelRank[a.level] - levelRank[b.level] || findPlace(a) - findPlace(b),
    );
    for (const entry of own) left.delete(entry);
    const [first, ...others] = own;
    const shared = found.find((cause) =>
      cause.findings.some(({ finding }) => places.has(finding.fingerprint)),
    );
    if (first) found.push({ findings: [first, ...others], sentence, explanation });
    else if (shared) shared.sentence += `; ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  }
  return found;
}

/** Words what is wrong in a cause: what explains it, or else how its first finding breaks its rule. */
export function describeCause(
  { sentence, findings: [{ finding }] }: FindingCause,
  run: Pick<Run, 'rules'>,
): string {
  return sentence ?? describeBreach(finding, run);
}

/** Returns the sentence under a cause: what explains it, or else what its first finding says, and that nothing explains it. */
export function causeSentence({ sentence, findings: [{ finding }] }: FindingCause, run: Run): string {
  return sentence === undefined ? `${findingSentence(finding, run)} Cause not identified.` : `${sentence}.`;
}

/** Ranks known findings last, then by consequence, then by level. */
function causeRank({ finding: { known, rule, level } }: NumberedFinding): number {
  return (known ? 1000 : 0) + 10 * rankConsequence(rule) + levelRank[level];
}

function isOneCause(a: Finding, b: Finding): boolean {
  if ((a.known === undefined) !== (b.known === undefined)) return false;
  if (a.rule === b.rule) return true;
  const shown = new Set(b.examples.map(({ exchange }) => exchange));
  return shareFault(a.rule, b.rule) && a.examples.some(({ exchange }) => shown.has(exchange));
}

/** Ids of the rules of a cause, the worst first. */
export function causeRules({ findings }: FindingCause): string[] {
  return [...new Set(findings.map(({ finding }) => finding.rule))];
}

/** Returns the heading that a cause is listed under. */
export function causeGroup({ consequence, findings: [{ finding }] }: FindingCause): string {
  return finding.known ? 'Known to the baseline' : consequenceWords(consequence);
}

/** Returns the cause that decides a verdict, and the finding of it that heads a report. */
export function findLeading({ verdict }: Pick<Run, 'verdict'>, causes: readonly FindingCause[]) {
  const decides = ({ finding: { level, known } }: NumberedFinding): boolean => level === 'must' && !known;
  const deciding = causes.find(({ findings }) => findings.some(decides)) ?? causes[0];
  const cause = verdict === 'nonconformant' ? deciding : undefined;
  return cause && { cause, ...(cause.findings.find(decides) ?? cause.findings[0]) };
}

/** `The volume of candles is not the sum of their parts, and 2 more causes`; the verdict's sentence without one. */
export function causeHeadline(run: Run, causes: readonly FindingCause[]): string {
  const leading = findLeading(run, causes);
  if (!leading) return verdictSentence(run).replace(/\.$/, '');
  const isNew = ({ findings: [{ finding }] }: FindingCause): boolean => finding.known === undefined;
  const others = causes.filter((cause) => cause !== leading.cause && isNew(cause)).length;
  const what = leading.cause.sentence ?? describeBreach(leading.finding, run);
  return `${what}${others > 0 ? `, and ${plural(others, 'more cause')}` : ''}`;
}

/** Heads a report of lines: the verdict, and what is wrong if something decides it. */
export function headlineWithCause(run: Run, causes: readonly FindingCause[]): string {
  return findLeading(run, causes) ? `${headline(run)}: ${causeHeadline(run, causes)}` : headline(run);
}

/** Names what a cause breaks beside its first finding: `also breaks candle/low-is-lowest (findings 2, 3)`; empty if nothing. */
export function besideFirst(cause: FindingCause): string {
  const [, ...numbers] = cause.findings.map(({ number }) => number);
  if (numbers.length === 0) return '';
  const rules = causeRules(cause).slice(1);
  const findings = `finding${numbers.length > 1 ? 's' : ''} ${listSome(numbers, 6)}`;
  return rules.length > 0 ? `also breaks ${rules.join(', ')} (${findings})` : `also ${findings}`;
}

/**
 * `7 of 7 answers of tokens`: the broken share of the worst rule's evidence, and the operation or the number of
 * operations.
 */
export function causeExtent({ findings, sentence }: FindingCause): string {
  const sameRule = findings
    .map(({ finding }) => finding)
    .filter(({ rule }) => rule === findings[0].finding.rule);
  const operations = [...new Set(sameRule.map(({ operation }) => operation))];
  const named = operations.length > 1 ? plural(operations.length, 'operation') : operations[0];
  const patterns = new Set(sameRule.map(({ pattern }) => pattern));
  const [pattern] = patterns.size === 1 ? patterns : [];
  const extent = sumExtent(sameRule);
  const placed = extent.includes(' of ') ? `${extent} of ${named}` : `${extent}, at ${named}`;
  return pattern === undefined || sentence !== undefined ? placed : `${placed}, ${pattern}`;
}

/** `7 of 13 candles`: the broken share of the evidence of one rule; `12 times` if its findings overlap. */
export function sumExtent(findings: readonly Finding[]): string {
  const extents = findings.flatMap(({ extent }) => extent ?? []);
  const [first] = extents;
  const isOneKind = extents.length === findings.length && extents.every(({ unit }) => unit === first?.unit);
  const places = new Set(findings.map(({ operation }) => operation));
  if (!first || !isOneKind || places.size < findings.length)
    return formatTimes(sum(findings.map(({ count }) => count)));
  const broken = sum(extents.map((extent) => extent.broken));
  const judged = sum(extents.map((extent) => extent.judged));
  return `${thousands(broken)} of ${plural(judged, first.unit)}`;
}
