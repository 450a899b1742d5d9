import { catalogue, questions } from '../rules/catalogue.ts';
import { alternative } from '../rules/observed-values.ts';
import type { Examined, Judged } from './judge.ts';
import { orderFindings } from './judge.ts';
import { coversFinding, coversPlace, isGone, listPlaces } from './known-failings.ts';
import { reachVerdict } from './reach-verdict.ts';
import type {
  BaselineResult,
  Finding,
  KnownFailing,
  KnownStatus,
  Observation,
  RuleResult,
} from './verdict.ts';

/** The baseline of one target: failures that are accepted for a time, and expected answers. */
export type Baseline = {
  readonly target: string;
  readonly known: readonly KnownFailing[];
  /** Answers by the id of their question. */
  readonly observations: Readonly<Record<string, string>>;
};

type Entry = BaselineResult['known'][number];

/**
 * Returns the judgement of a target with a list of known failings. `today` is YYYY-MM-DD in UTC: a known failing counts
 * again from the day after its last one. Known failings are still judged.
 */
export function applyBaseline(judged: Judged, baseline: Baseline, today: string): Judged {
  const entries = listEntries(judged, baseline, today);
  const findings = orderFindings(judged.findings.map((finding) => accept(finding, entries)));
  const rules = judged.rules.map((rule) => settle(rule, findings, entries));
  const known = new Set(rules.flatMap(({ id, outcome }) => (outcome === 'known' ? [id] : [])));
  const { verdict: _verdict, reason: _reason, reasonCode: _code, ...rest } = judged;
  return {
    ...rest,
    ...reachVerdict(judged.evidence, judged.appliedRules, known),
    rules,
    findings,
    observations: judged.observations.map((observation) => compare(observation, baseline)),
    baseline: {
      target: baseline.target,
      known: entries,
      strayPins: Object.keys(baseline.observations).filter((id) => !isQuestion(id)),
    },
  };
}

/** The findings, with known ones marked by applyBaseline. */
export function acceptKnown(examined: Examined, baseline: Baseline, today: string): Finding[] {
  const entries = listEntries(examined, baseline, today);
  return orderFindings(examined.findings.map((finding) => accept(finding, entries)));
}

function listEntries(examined: Examined, baseline: Baseline, today: string): Entry[] {
  return baseline.known.flatMap((knownFailing) => weigh(knownFailing, examined, today));
}

/** Returns the entry of a known failing; none for a rule that was omitted on purpose. */
function weigh(failing: KnownFailing, examined: Examined, today: string): Entry[] {
  const { findings, appliedRules } = examined;
  const [id = ''] = failing.fingerprint.split(' ');
  const as = (status: KnownStatus): Entry[] => [{ ...failing, status }];
  if (findings.some((finding) => meets(failing, finding))) {
    return as(today > failing.until ? 'expired' : 'known');
  }
  const appliedRule = appliedRules.find(({ rule }) => rule.id === id);
  if (!appliedRule) return catalogue.rules.some((rule) => rule.id === id) ? [] : as('no such rule');
  return as(isGone(failing, appliedRule, examined) ? 'surprised' : 'unexercised');
}

/** Returns whether a known failing stands for some place of a finding. */
function meets(failing: KnownFailing, finding: Finding): boolean {
  return listPlaces(finding).some(({ failing: name, met }) =>
    met.some((place) => coversPlace(failing, finding, { failing: name, met: [place] })),
  );
}

function accept(finding: Finding, entries: readonly Entry[]): Finding {
  const known = entries.filter((entry) => entry.status === 'known' && meets(entry, finding));
  const [entry] = known;
  if (!entry || !coversFinding(known, finding)) return finding;
  return { ...finding, known: { reason: entry.reason, until: entry.until } };
}

/** Applies the baseline to a rule's result: `known` if it accepts all findings; one new place is enough to fail. */
function settle(result: RuleResult, findings: readonly Finding[], entries: readonly Entry[]): RuleResult {
  const ruleEntries = entries.filter((entry) => entry.fingerprint.startsWith(`${result.id} `));
  const reasons = new Set([
    ...ruleEntries.flatMap(describeEntry),
    ...(result.reason === undefined ? [] : [result.reason]),
  ]);
  if (reasons.size === 0) return result;
  const found = findings.filter((finding) => finding.rule === result.id);
  const isKnown = found.length > 0 && found.every((finding) => finding.known);
  const isSurprised =
    result.outcome === 'passed' && ruleEntries.some((acceptance) => acceptance.status === 'surprised');
  const outcome = isKnown ? 'known' : isSurprised ? 'surprised' : result.outcome;
  return { ...result, outcome, reason: [...reasons].join('; ') };
}

function describeEntry({ fingerprint, reason, until, status }: Entry): string[] {
  const why = reason.trim().replace(/\.$/, '') || 'no reason given';
  if (status === 'known') return [`known until ${until}: ${why}`];
  if (status === 'expired') return [`known only until ${until}, which has passed: ${why}`];
  const [, ...place] = fingerprint.trimEnd().split(' ');
  return status === 'surprised' ? [`a known failing is gone at ${place.join(' ')}: ${why}`] : [];
}

/** A question without an answer in this run has no observation, and so no change. */
function compare(observation: Observation, { observations }: Baseline): Observation {
  const { id, answer } = observation;
  const pin = Object.hasOwn(observations, id) ? observations[id] : undefined;
  const before = pin === undefined ? undefined : findContradicted(id, pin, answer);
  return before === undefined ? observation : { ...observation, changed: true, before };
}

function isQuestion(id: string): boolean {
  return catalogue.questions.some((question) => question.id === id);
}

/** Characters of an answer that a baseline keeps: enough for every answer of ours, little for a hostile one. */
const longest = 1600;
/** Returns the pinned answer if this one contradicts it; undefined if both can be true. */
export function findContradicted(question: string, pinned: string, answer: string): string | undefined {
  const before = clip(pinned);
  const [then, now] = [ungrouped(before), ungrouped(clip(answer))];
  if (!hasParts(question)) return sharedParts(then, now).length > 0 ? undefined : before;
  const [old, parts] = [splitParts(then), splitParts(now)];
  return [...parts].every(([name, part]) => (old.get(name) ?? part) === part) ? undefined : before;
}

/** Returns the answer to pin. If a new answer leaves something open, the pinned one stays. */
export function pinAfter(question: string, pinned: string | undefined, answer: string): string {
  const now = clip(answer);
  if (pinned === undefined) return now;
  if (hasParts(question)) {
    return clip([...new Map([...splitParts(pinned), ...splitParts(now)]).values()].join(', '));
  }
  const both = sharedParts(clip(pinned), now);
  return both.length > 0 ? both.join(alternative) : now;
}

/** A pin may be of the time when `1,397` was written as `1397`. */
function ungrouped(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function hasParts(id: string): boolean {
  return questions.some((question) => question.id === id && question.hasParts === true);
}

/** Returns the possibilities that two answers share. */
function sharedParts(a: string, b: string): string[] {
  const others = new Set(b.split(alternative));
  return a.split(alternative).filter((choice) => others.has(choice));
}

/** Splits `HOUR UTC, DAY UTC` and `closed: …, open: …` into parts by their first words. */
function splitParts(answer: string): Map<string, string> {
  return new Map(answer.split(', ').map((part) => [part.split(' ', 1)[0] ?? part, part]));
}

/**
 * Shortens a text of a target to what a file can hold, without half characters. An answer in parts loses whole parts:
 * half a part would contradict the whole one of the next run.
 */
function clip(text: string): string {
  if (text.length <= longest) return text.toWellFormed();
  const cut = text.slice(0, longest);
  const end = cut.lastIndexOf(', ');
  return (end > 0 ? cut.slice(0, end) : cut).toWellFormed();
}
