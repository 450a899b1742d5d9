import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Profile } from '@candleproof/reference-service/assemble';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

/** The findings of a check of this profile, as rule, operation and pointer. */
async function findingsOf(profile: Profile, ...flags: string[]): Promise<string[]> {
  const { findings } = await runOf(profile, ...flags);
  return findings.map((finding) => `${finding.rule} ${finding.operation} ${finding.pointer}`);
}

async function runOf(profile: Profile, ...flags: string[]): Promise<Run> {
  const out = join(test.info().outputPath(profile), 'out');
  const target = await startTarget(test.info().outputPath(profile), {
    ...{ profile, now: '2026-03-11T15:32:20Z' },
    // Its dead pool died weeks ago.
    ...(profile === 'testnet' && { historyDays: 37 }),
  });
  await candleproof(['check', ...flagsFor(target.ready), ...flags, '--out', out]);
  await target.stop();
  return JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
}

test('the observed profile departs where the live API is known to', async () => {
  expect(await findingsOf('observed')).toEqual([
    'candle/average-is-within-range getLatestV1PoolCandle /avg',
    'candle/average-is-within-range listV2PoolCandles /*/avg',
    'tokens/documented-types listTokens /*/icon',
    'tokens/documented-types listTokens /*/dueDiligenceComplete',
    'tokens/documented-types listTokens /*/isFeeOnTransferToken',
    'tokens/icon-is-relative listTokens /*/icon',
  ]);
});

test('the testnet profile lacks rows, reported once for the operation', async () => {
  expect(await findingsOf('testnet', '--keyless')).toEqual(['history/complete listV2PoolCandles ']);
});

test('a dead pool leaves the rules of its freshness unjudged, and so the run, unless it is declared quiet', async () => {
  const flags = ['--keyless', '--pools-v1', '4', '--pools-v2', '1'];
  const fresh = ({ rules }: Run) => rules.find((rule) => rule.id === 'latest/is-the-newest');
  const run = await runOf('testnet', ...flags);
  expect(fresh(run)).toMatchObject({
    outcome: 'inconclusive',
    evidence: 0,
    reason: expect.stringContaining('pool 4'),
  });
  expect([run.verdict, run.findings]).toEqual(['inconclusive', []]);
  expect(run.reason).toMatch(/^no latest candle is of the present: the newest was observed at /);
  const declared = await runOf('testnet', ...flags, '--gaps', 'idle');
  expect(fresh(declared)?.outcome).toBe('unexercised');
  expect([declared.verdict, declared.findings]).toEqual(['conformant', []]);
});
