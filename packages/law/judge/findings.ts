import { operationName } from '@candleproof/document/spec/operation';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { type Breach, findOperation, fingerprint, namePlace } from '../rules/breach.ts';
import type { AppliedRule } from './apply-rule.ts';
import { isSameManner } from './described-request.ts';
import { chooseExamples } from './example.ts';
import { measureExtent } from './extent.ts';
import { makeFailings, type NamedFailing } from './failing.ts';
import { describeShared } from './pattern.ts';
import type { Example, FailingPlace, Finding } from './verdict.ts';

/** One finding for each operation and normalised pointer: a thousand bad rows are one finding. */
export function collectFindings(
  appliedRule: AppliedRule,
  evidence: Evidence,
  replay: (rule: string) => string,
): Finding[] {
  const { rule, judged } = appliedRule;
  const findFailing = makeFailings(appliedRule, evidence);
  return [...groupBreaches(appliedRule)].map(([fingerprint, all]) => {
    const operation = findOperation(all[0]);
    const examples = chooseExamples(all, evidence);
    const pattern = describeShared({ rule, judged }, all, { spec: evidence.spec, operation });
    return {
      rule: rule.id,
      level: rule.level,
      operation,
      ...(operation && { named: operationName(evidence.spec, operation) }),
      fingerprint,
      places: listPlaces(all.map(findFailing)),
      count: all.reduce((total, { times = 1 }) => total + times, 0),
      extent: measureExtent(all, judged, operation),
      ...(pattern !== undefined && { pattern }),
      ...leadWith(examples[0] as Example),
      pointer: namePlace(all[0]),
      ...(all[0].kind && { kind: all[0].kind }),
      ...(all[0].sentence !== undefined && { sentence: all[0].sentence }),
      intermittent: comesAndGoes(all, judged, evidence),
      replay: replay(rule.id),
      examples,
    };
  });
}

/** Groups the breaches of a rule by the finding that they belong to. */
export const groupBreaches = oncePer(
  ({ rule, breaches }: AppliedRule) =>
    Map.groupBy(breaches, (breach) => fingerprint(rule.id, breach)) as Map<string, [Breach, ...Breach[]]>,
);

/** Returns what a finding shows of its first example. */
export function leadWith(example: Example) {
  const {
    request: _,
    candles: _candles,
    picture: _picture,
    beside: _beside,
    pointer: _pointer,
    ...shown
  } = example;
  return shown;
}

function listPlaces(failings: readonly NamedFailing[]): FailingPlace[] {
  const groups = Map.groupBy(failings, ({ failing }) => failing);
  return [...groups].map(([failing, all]) => ({
    failing,
    met: [...new Set(all.map(({ met }) => met))].sort(),
  }));
}

/** The same request was answered, and judged, without this breach too. */
function comesAndGoes(all: readonly Breach[], judged: ReadonlySet<Answer>, { answers }: Evidence): boolean {
  const broken = new Set(all.map((breach) => breach.answer));
  const clean = answers.filter((answer) => judged.has(answer) && !broken.has(answer));
  return [...broken].some((answer) => clean.some((other) => isSameManner(answer, other)));
}
