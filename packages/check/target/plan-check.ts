import { operationById } from '@candleproof/document/spec/operation';
import { requestName } from '@candleproof/document/spec/request-path';
import type { Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import type { Level } from '@candleproof/law/rules/facts';
import { applicableLaw } from '@candleproof/law/rules/law-of';
import { otherMethod } from '../plan/error-requests.ts';
import { listRequestKeys, makePlan, type Plan, requestKey, splitBudget, usualSeed } from '../plan/plan.ts';
import type { Scope } from '../plan/scope.ts';
import type { CheckChoices } from './check-target.ts';

/** A target that a check is planned for. */
export type CheckedTarget = {
  readonly spec: Spec;
  readonly facts: TargetFacts;
};

/** The choices of a check that decide what it sends and what it judges. */
export type PlannedChoices = Pick<
  CheckChoices,
  'budget' | 'seed' | 'nights' | 'smoke' | 'thorough' | 'exposeKey' | 'otherKeyFile'
> & {
  /** All of the law by default. */
  readonly law?: Catalogue;
};

export type ListedArticle = { readonly id: string; readonly level: Level; readonly section: string };

/** Plans the requests of a check. */
export function planCheck(target: CheckedTarget, choices: PlannedChoices = {}): Plan {
  const { planned } = splitBudget(choices.budget === 'auto' ? undefined : choices.budget);
  return makePlan(target.spec, choices.law ?? catalogue, target.facts, planned, readScope(choices));
}

/** The methods of a check, and its operations that are POSTs. */
export type PlannedMethods = { readonly methods: readonly string[]; readonly posts: readonly string[] };

/** Lists the methods that the requests of a plan have, and the operations that are POSTs. */
export function listMethods(spec: Spec, { requests }: Plan): PlannedMethods {
  const methods = requests.map(
    ({ need, operation }) =>
      need.method ??
      (need.errorCase && otherMethod(need.errorCase)) ??
      operationById(spec, operation).method ??
      'GET',
  );
  const posts = spec.operations.filter(({ method }) => method === 'POST').map(requestName);
  return { methods: [...new Set(methods)].sort(), posts };
}

/** Lists the rules and questions that a check judges by; all that apply if it judges a recording. */
export function listArticles(
  target: CheckedTarget,
  choices: PlannedChoices,
  isRecorded: boolean,
): ListedArticle[] {
  const { spec, facts } = target;
  const { rules, questions } = applicableLaw(spec, choices.law ?? catalogue);
  const all = [...rules, ...questions.map((question) => ({ ...question, level: 'observe' as const }))];
  const sent = new Set(planCheck(target, choices).requests.map(requestKey));
  const scope = readScope(choices);
  return all
    .filter(
      ({ needs }) =>
        isRecorded ||
        needs.length === 0 ||
        listRequestKeys(spec, needs, facts, scope).some((key) => sent.has(key)),
    )
    .map(({ id, level, section }) => ({ id, level, section }));
}

function readScope({
  seed = usualSeed,
  nights,
  smoke,
  thorough,
  exposeKey,
  otherKeyFile,
}: PlannedChoices): Scope {
  return { seed, nights, smoke, thorough, exposeKey, hasOtherKey: otherKeyFile !== undefined };
}
