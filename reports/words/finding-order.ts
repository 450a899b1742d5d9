import type { Finding, Run } from '../../contract/judge/verdict.ts';
import { consequenceOf } from './consequence.ts';

const levels = ['must', 'should', 'observe'];

/** The findings in the order in which all reports number them: musts first, new ones before known ones, the worst consequence first. */
export function inOrder(run: Run): Finding[] {
  const rank = ({ level, known }: Finding): number => 2 * levels.indexOf(level) + (known ? 1 : 0);
  return run.findings.toSorted((a, b) => rank(a) - rank(b) || consequenceOf(a.rule) - consequenceOf(b.rule));
}
