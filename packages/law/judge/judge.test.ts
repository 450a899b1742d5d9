import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { catalogue } from '../rules/catalogue.ts';
import type { Rule } from '../rules/rule.ts';
import { roughWorlds, worlds } from '../worlds/arbitraries.ts';
import { judgeIt, listFindings, spec } from '../worlds/breach-case.ts';
import { newestMinute } from '../worlds/candles.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld, type World } from '../worlds/world.ts';
import { judge } from './judge.ts';

/** Verdict, findings and rules left open, in one comparable piece: a property that fails shows all of it. */
function judged(world: World) {
  const { verdict, findings, rules } = judgeIt(record(world));
  const open = rules.filter((rule) => rule.outcome === 'inconclusive').map((rule) => rule.id);
  return { verdict, findings: listFindings(findings), open };
}

/** A pool too young for a closed candle, whose open one may lie beyond the range: nothing of it can be judged. */
function showsNothingYet({ ages }: World): boolean {
  return ages.some((age) => age < 3 * 3600);
}

function listVerdicts(world: World): string[] {
  return showsNothingYet(world) ? ['conformant', 'inconclusive'] : ['conformant'];
}

/** A minute that appears between the first and the last request leaves open whether intervals agree and nest. */
function racing(world: World): string[] {
  const moves = newestMinute(world, world.now) !== newestMinute(world, world.now + 6 * world.pace);
  return moves ? ['latest/intervals-agree', 'latest/starts-nest', 'latest/usd-volumes-nest'] : [];
}

test('no rule accuses or doubts a healthy service, whatever it chooses', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { open, verdict, findings } = judged(world);
      expect(findings).toEqual([]);
      expect(listVerdicts(world)).toContain(verdict);
      expect(open.filter((id) => !racing(world).includes(id))).toEqual([]);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 400 : 20 },
  );
});

test('rounded prices and missing minutes leave only the mean open', () => {
  fc.assert(
    fc.property(roughWorlds, (world) => {
      const { open, verdict, findings } = judged(world);
      expect(findings).toEqual([]);
      expect(listVerdicts(world)).toContain(verdict);
      const allowed = [...racing(world), 'rollup/average-is-the-mean'];
      expect(open.filter((id) => !allowed.includes(id))).toEqual([]);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 200 : 10 },
  );
});

/**
 * Rules that only a repeated range up to now, a month's end, a spent quota, a service in trouble, a silent pool or many tokens can
 * exercise.
 */
const ofBadTimes = [
  'tokens/usd-price-fits-the-price',
  'history/open-candle-only-grows',
  'rollup/open-average-keeps-its-past',
  'quota/resets-at-its-time',
  'quota/resets-are-a-month-apart',
  'quota/over-limit',
  'transport/rate-limit',
  'errors/retry-after',
  'history/outliers',
  'history/unobserved-intervals',
  'latest/silent-pool',
];

test('a whole run of the usual service exercises every rule and answers every question', () => {
  const options = { scope: { weeks: 6, fineDays: 7 }, tokens: 24, tags: true, otherKey: true, trading: true };
  const whole = { ...usualWorld, ...options };
  const { rules } = judgeIt(record(whole));
  const silent = rules.filter((rule) => rule.outcome !== 'passed').map((rule) => rule.id);
  expect(silent.filter((id) => !ofBadTimes.includes(id))).toEqual([]);
  expect(rules.map((rule) => rule.id)).toEqual(
    [...catalogue.rules, ...catalogue.questions].map((entry) => entry.id),
  );
});

test('the same recording gives the same judgement', () => {
  const { recording } = record(usualWorld);
  const copy = structuredClone(recording);
  const [{ appliedRules: _, evidence: __, ...one }, { appliedRules: ___, evidence: ____, ...other }] = [
    judgeIt({ recording }),
    judgeIt({ recording: copy }),
  ];
  expect(other).toEqual(one);
  expect(copy).toEqual(recording);
});

const breaking: Rule = {
  id: 'test/breaks-down',
  section: '',
  level: 'must',
  statement: 'It breaks down.',
  broken: 'It broke down',
  why: 'It is ours to mend.',
  needs: [],
  check: function* (evidence) {
    for (const answer of evidence.answers) {
      yield { breach: { answer, pointer: '', expected: 'order', actual: 'chaos' } };
      throw new Error('lost the thread');
    }
  },
};

test('a rule that breaks down accuses nobody and is left open', () => {
  const { recording } = record(usualWorld);
  const law = { rules: [...catalogue.rules, breaking], questions: [] };
  const { verdict, reason, findings, rules } = judge(spec, recording, { catalogue: law, replay: (id) => id });
  expect(findings).toEqual([]);
  expect(rules.at(-1)).toMatchObject({
    outcome: 'inconclusive',
    evidence: 0,
    reason: 'the rule itself failed: lost the thread',
  });
  expect({ verdict, reason }).toEqual({
    verdict: 'inconclusive',
    reason: 'test/breaks-down: the rule itself failed: lost the thread',
  });
});

test('a rule that is only recommended breaks down without spoiling the verdict', () => {
  const { recording } = record(usualWorld);
  const law = { rules: [...catalogue.rules, { ...breaking, level: 'should' as const }], questions: [] };
  expect(judge(spec, recording, { catalogue: law, replay: (id) => id }).verdict).toBe('conformant');
});

test('an empty recording exercises nothing and decides nothing', () => {
  const { target } = record(usualWorld).recording;
  const { verdict, rules, findings } = judgeIt({ recording: { target, seed: 1, exchanges: [] } });
  expect(new Set(rules.map((rule) => rule.outcome))).toEqual(new Set(['unexercised']));
  expect({ verdict, findings }).toEqual({ verdict: 'inconclusive', findings: [] });
});
