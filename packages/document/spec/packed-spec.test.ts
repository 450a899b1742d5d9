import { readFileSync, writeFileSync } from 'node:fs';
import { judge } from '@candleproof/law/judge/judge';
import type { Recording } from '@candleproof/law/reading/exchange';
import { worlds } from '@candleproof/law/worlds/arbitraries';
import { judgeIt, sampleBreaches, stage } from '@candleproof/law/worlds/breach-case';
import { record } from '@candleproof/law/worlds/recorded';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { compileSpec, packedFile } from './load-spec.ts';
import { packSpec } from './pack-spec.ts';

const compiled = compileSpec('openapi.yaml');

/** Written again with --update-snapshots=all. */
test('the packed document is the one that is published', () => {
  const packed = packSpec({ file: 'openapi.yaml' });
  if (test.info().config.updateSnapshots === 'all') writeFileSync(packedFile, JSON.stringify(packed));
  expect(JSON.parse(readFileSync(packedFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(packed)));
});

/** Returns the parts of a judgement that a reader sees. */
function judgedBoth(recording: Recording): [packed: object, compiled: object] {
  const reported = ({ verdict, rules, findings, observations }: ReturnType<typeof judge>): object => ({
    verdict,
    rules,
    findings,
    observations,
  });
  const byCompiled = judge(compiled, recording, { replay: (rule) => `again ${rule}` });
  return [reported(judgeIt({ recording })), reported(byCompiled)];
}

test('the packed spec judges healthy worlds like the spec', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [byPacked, byCompiled] = judgedBoth(record(world).recording);
      expect(byPacked).toEqual(byCompiled);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 100 : 2 },
  );
});

/** The breach of every tenth rule; of every rule in a thorough run. */
const step = process.env.CANDLEPROOF_THOROUGH ? 1 : 10;

test('the packed spec finds every breach that the spec finds', async () => {
  const cases = await sampleBreaches();
  expect(cases.length).toBeGreaterThan(50);
  for (const testCase of cases.filter((_, index) => index % step === 0)) {
    const [byPacked, byCompiled] = judgedBoth(stage(testCase).recording);
    expect(byPacked, testCase.what).toEqual(byCompiled);
  }
});
