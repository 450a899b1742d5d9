import type { Outcome, Run } from '@candleproof/law/judge/verdict';
import type { Level } from '@candleproof/law/rules/facts';

/** The members of a run that a comparison reads. */
export type Comparable = {
  readonly rules: readonly { readonly id: string; readonly level: Level; readonly outcome: Outcome }[];
  readonly observations?: Run['observations'];
};

/** A rule whose outcome changed; the outcome is absent on a side without the rule. */
export type RuleChange = {
  readonly id: string;
  readonly level: Level;
  readonly before?: Outcome;
  readonly after?: Outcome;
};

export type AnswerChange = { readonly question: string; readonly before: string; readonly after: string };

/** Returns whether an outcome is a failure; one that a baseline accepts is still a failure. */
export function isBroken(outcome: Outcome | undefined): boolean {
  return outcome === 'failed' || outcome === 'known';
}

function isJudged(outcome: Outcome | undefined): boolean {
  return isBroken(outcome) || outcome === 'passed' || outcome === 'surprised';
}

/** Changes from one run to another: of musts and shoulds, and of answers to open questions. */
export type Difference = ReturnType<typeof compareRuns>;

/** Compares the outcomes and answers of two runs. */
export function compareRuns(a: Comparable, b: Comparable) {
  const changes = ruleChanges(a, b);
  return {
    failing: changes.filter(({ before, after }) => isBroken(after) && !isBroken(before)),
    mended: changes.filter(({ before, after }) => isBroken(before) && isJudged(after) && !isBroken(after)),
    /** Judged before, but not now: neither mended nor failing. */
    unjudged: changes.filter(({ before, after }) => isJudged(before) && !isJudged(after)),
    stillFailing: changes.filter(({ before, after }) => isBroken(before) && isBroken(after)),
    answers: answerChanges(a, b),
  };
}

/** Lists every must and should of either side, musts first. */
function ruleChanges(a: Comparable, b: Comparable): RuleChange[] {
  const before = mapOutcomes(a);
  const after = mapOutcomes(b);
  const all = new Map([...before, ...after]);
  return [...all]
    .map(([id, { level }]) => ({
      id,
      level,
      ...(before.has(id) && { before: before.get(id)?.outcome }),
      ...(after.has(id) && { after: after.get(id)?.outcome }),
    }))
    .sort((x, y) =>
      x.level === y.level ? (x.id < y.id ? -1 : 1) : x.level === 'must' ? -1 : 1,
    ) as RuleChange[];
}

function mapOutcomes({ rules }: Comparable): Map<string, Comparable['rules'][number]> {
  return new Map(rules.filter(({ level }) => level !== 'observe').map((rule) => [rule.id, rule]));
}

/** Lists changed answers; a question that only one side answered is ignored. */
function answerChanges(
  { observations: old = [] }: Comparable,
  { observations = [] }: Comparable,
): AnswerChange[] {
  const answers = new Map(old.map((observation) => [observation.id, observation.answer]));
  return observations.flatMap(({ id, question, answer }) => {
    const before = answers.get(id);
    return before === undefined || before === answer ? [] : [{ question, before, after: answer }];
  });
}

/** A condition in which two runs differ, which may explain any change between them. */
export type Unlike = { readonly what: string; readonly before: string; readonly after: string };

/** The conditions of a run that determine what it can find. */
export type Making = {
  readonly versions: Run['versions'];
  readonly requests: Pick<Run['requests'], 'budget'>;
  readonly unchosen?: number;
};

/** Lists the conditions in which two runs differ. */
export function compareMaking(a: Making, b: Making): Unlike[] {
  const sides: Unlike[] = [
    { what: 'rules', before: `${a.versions.catalogue}`, after: `${b.versions.catalogue}` },
    { what: 'spec', before: a.versions.specSha256.slice(0, 12), after: b.versions.specSha256.slice(0, 12) },
    { what: 'plan', before: planText(a), after: planText(b) },
    { what: 'version of Candleproof', before: a.versions.candleproof, after: b.versions.candleproof },
  ];
  return sides.filter(({ before, after }) => before !== after);
}

function planText({ requests: { budget }, unchosen = 0 }: Making): string {
  const most = budget === 0 ? 'a recording' : `at most ${budget} ${budget === 1 ? 'request' : 'requests'}`;
  return unchosen > 0 ? `${most}, ${unchosen} musts left out` : most;
}
