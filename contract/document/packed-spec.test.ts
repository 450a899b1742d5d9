import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { judge } from '../judge/judge.ts';
import type { Recording } from '../reading/exchange.ts';
import { worlds } from '../worlds/arbitraries.ts';
import { judgeIt, spec, stage } from '../worlds/breach-case.ts';
import { sampleBreaches } from '../worlds/breach-tables.ts';
import { record } from '../worlds/recorded.ts';
import { packSpec } from './pack-spec.ts';
import { unpackSpec } from './packed-spec.ts';

const packed = unpackSpec(JSON.parse(JSON.stringify(packSpec(spec))));

/** Returns the parts of a judgement that a reader sees. */
function judgedBoth(recording: Recording): [packed: object, itself: object] {
  const reported = ({ verdict, rules, findings, observations }: ReturnType<typeof judge>): object => ({
    verdict,
    rules,
    findings,
    observations,
  });
  const byPacked = judge(packed, recording, { replay: (rule) => `again ${rule}` });
  return [reported(byPacked), reported(judgeIt({ recording }))];
}

test('the packed spec judges healthy worlds like the spec', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [byPacked, byItself] = judgedBoth(record(world).recording);
      expect(byPacked).toEqual(byItself);
    }),
    { numRuns: 15 },
  );
});

test('the packed spec finds every breach that the spec finds', async () => {
  const cases = await sampleBreaches();
  expect(cases.length).toBeGreaterThan(100);
  for (const testCase of cases) {
    const [byPacked, byItself] = judgedBoth(stage(testCase).recording);
    expect(byPacked, testCase.what).toEqual(byItself);
  }
});
