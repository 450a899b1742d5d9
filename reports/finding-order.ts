import type { Finding, Run } from '../contract/verdict.ts';
import { ruleOf } from './tally.ts';

const levels = ['must', 'should', 'observe'];

/** The findings in the order in which all reports number them: musts first, new ones before known ones. */
export function inOrder(run: Run): Finding[] {
  const rank = ({ level, rule }: Finding): number =>
    2 * levels.indexOf(level) + (ruleOf(run, rule)?.outcome === 'known' ? 1 : 0);
  return run.findings.toSorted((a, b) => rank(a) - rank(b));
}
