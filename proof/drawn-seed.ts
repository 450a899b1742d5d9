import { defaultBudget, makePlan } from '../conformance/plan/plan.ts';
import type { Spec } from '../contract/document/spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import type { TargetFacts } from '../contract/reading/exchange.ts';

/** Checks of a target that nobody would repeat so often. */
const seedsAtMost = 400;

/**
 * The first seed with which a check of usual size sends this faulty request: it draws a few of them, and has room for
 * the most telling. Throws where none does.
 */
export function seedThatSends(spec: Spec, errorCase: string, target: TargetFacts): number {
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    const { requests } = makePlan(spec, catalogue, target, defaultBudget.planned, { seed });
    if (requests.some(({ need }) => need.errorCase === errorCase)) return seed;
  }
  throw new Error(`no seed up to ${seedsAtMost} sends "${errorCase}": is it one of contract/error-cases.ts?`);
}
