import { defaultBudget, makePlan } from '../conformance/plan/plan.ts';
import type { Spec } from '../contract/document/spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import type { TargetFacts } from '../contract/reading/exchange.ts';

/** Checks of a target that nobody would repeat so often. */
const seedsAtMost = 400;

/**
 * The first seed with which a check of usual size sends this faulty request, or tries this key: it draws a few of them, and has room for
 * the most telling. Throws where none does.
 */
export function seedThatSends(spec: Spec, drawn: string, target: TargetFacts): number {
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    const { requests } = makePlan(spec, catalogue, target, defaultBudget.planned, { seed });
    if (requests.some(({ need }) => [need.errorCase, need.trial].some((each) => each === drawn))) return seed;
  }
  throw new Error(
    `no seed up to ${seedsAtMost} sends "${drawn}": is it one of contract/law/error-cases.ts or trials.ts?`,
  );
}
