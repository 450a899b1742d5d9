import { expect } from '@playwright/test';
import type { Judged } from '../judge/judge.ts';
import { type BreachCase, judgeIt, listFindings, type NearMiss, stage } from './breach-case.ts';

/** Expects that exactly this rule, and those in `also`, report the breach at its place and in its words. */
export function expectBreach(wanted: BreachCase): void {
  const { findings, appliedRules } = judgeIt(stage(wanted), wanted.document);
  expectUnbroken(appliedRules);
  const accusing = [...new Set(findings.map((finding) => finding.rule))].sort();
  expect(accusing, listFindings(findings).join('\n')).toEqual([wanted.rule, ...(wanted.also ?? [])].sort());
  const found = findings.filter(
    (finding) =>
      finding.rule === wanted.rule && (!wanted.everyOperation || finding.operation === wanted.operation),
  );
  expect(found.map(({ operation, pointer, count }) => ({ operation, pointer, count }))).toEqual([
    { operation: wanted.operation, pointer: wanted.pointer, count: wanted.count ?? 1 },
  ]);
  expectText(found[0]?.expected, wanted.expected);
  expectText(found[0]?.actual, wanted.actual);
  if (wanted.drawn !== undefined) expect(found[0]?.examples[0]?.candles ?? []).toHaveLength(wanted.drawn);
}

/** Expects that no rule crashed: it would miss all other evidence. */
function expectUnbroken(appliedRules: Judged['appliedRules']): void {
  expect(appliedRules.flatMap(({ rule, crash }) => (crash ? [`${rule.id}: ${crash}`] : []))).toEqual([]);
}

function expectText(value: string | undefined, wanted: string | RegExp): void {
  if (typeof wanted === 'string') expect(value).toBe(wanted);
  else expect(value).toMatch(wanted);
}

/** Expects no finding, and that the rule which comes close has judged its evidence. */
export function expectSilence(nearMiss: NearMiss): void {
  const { findings, rules, appliedRules } = judgeIt(stage(nearMiss), nearMiss.document);
  expectUnbroken(appliedRules);
  expect(listFindings(findings)).toEqual([]);
  const result = rules.find((rule) => rule.id === nearMiss.rule);
  expect(result?.outcome).toBe(nearMiss.outcome ?? 'passed');
  if (nearMiss.reason !== undefined) expectText(result?.reason, nearMiss.reason);
  if (nearMiss.evidence !== undefined) expect(result?.evidence).toBe(nearMiss.evidence);
}
