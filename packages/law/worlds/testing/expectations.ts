import type { OperationId } from '@candleproof/document/spec/spec';
import { expect } from '@candleproof/testing/expect';
import type { Judged } from '../../judge/judge.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { ruleGroup } from '../../rules/facts.ts';
import { type BreachCase, judgeIt, listFindings, type NearMiss, stage } from '../breach-case.ts';

/** Questions break no rule, and answering them would take a quarter of the time. */
const rulesAlone = { ...catalogue, questions: [] };

/** Expects that exactly this rule, and those in `also`, report the breach at its place and in its words. */
export function expectBreach(wanted: BreachCase): void {
  const { findings, appliedRules } = judgeIt(stage(wanted), wanted.document, rulesAlone);
  expectUnbroken(appliedRules);
  const accusing = [...new Set(findings.map((finding) => finding.rule))].sort();
  expect(accusing, listFindings(findings).join('\n')).toEqual([wanted.rule, ...(wanted.also ?? [])].sort());
  const operation = wanted.operation ?? damagedOperation(wanted);
  const found = findings.filter(
    (finding) => finding.rule === wanted.rule && (!wanted.everyOperation || finding.operation === operation),
  );
  expect(found.map(({ operation, pointer, count }) => ({ operation, pointer, count }))).toEqual([
    { operation, pointer: wanted.pointer ?? '', count: wanted.count ?? 1 },
  ]);
  expectText(found[0]?.expected, wanted.expected);
  expectText(found[0]?.actual, wanted.actual);
  if (wanted.drawn !== undefined) expect(found[0]?.examples[0]?.candles ?? []).toHaveLength(wanted.drawn);
}

/** Operations of whole runs, by the group of the rule; the history for other groups. */
const usualOperations: Readonly<Record<string, OperationId>> = {
  authentication: 'listTokens',
  latest: 'getLatestV1PoolCandle',
};

/** Returns the operation of a damaged request, named like `latest HOUR`; for a whole run, the group's usual one. */
function damagedOperation(wanted: BreachCase): OperationId {
  if (!('at' in wanted)) return usualOperations[ruleGroup(wanted.rule)] ?? 'listV2PoolCandles';
  if (wanted.at.startsWith('latest')) return 'getLatestV1PoolCandle';
  return /FIVEMIN|HOUR|DAY|WEEK|before|after|from-|to-|pool-/.test(wanted.at)
    ? 'listV2PoolCandles'
    : 'listTokens';
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
  const { findings, rules, appliedRules } = judgeIt(stage(nearMiss), nearMiss.document, rulesAlone);
  expectUnbroken(appliedRules);
  expect(listFindings(findings)).toEqual([]);
  const result = rules.find((rule) => rule.id === nearMiss.rule);
  expect(result?.outcome).toBe(nearMiss.outcome ?? 'passed');
  if (nearMiss.reason !== undefined) expectText(result?.reason, nearMiss.reason);
  if (nearMiss.evidence !== undefined) expect(result?.evidence).toBe(nearMiss.evidence);
}
