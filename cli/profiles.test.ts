import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Run } from '../contract/judge/verdict.ts';
import { candleproof, flagsFor, serve } from './testing/command.ts';

/** The findings of a check of this profile, as rule, operation and pointer. */
async function findingsOf(profile: string, ...flags: string[]): Promise<string[]> {
  const { findings } = await runOf(profile, ...flags);
  return findings.map((each) => `${each.rule} ${each.operation} ${each.pointer}`);
}

async function runOf(profile: string, ...flags: string[]): Promise<Run> {
  const out = join(test.info().outputPath(profile), 'out');
  const target = await serve(
    test.info().outputPath(profile),
    '--profile',
    profile,
    '--now',
    '2026-03-11T15:32:20Z',
  );
  await candleproof(['check', ...flagsFor(target.ready), ...flags, '--out', out]);
  await target.stop();
  return JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
}

test('the documented profile is conformant', async () => {
  expect(await findingsOf('documented')).toEqual([]);
});

test('the observed profile departs where the live API is known to', async () => {
  expect(await findingsOf('observed')).toEqual([
    'tokens/documented-types listTokens /*/icon',
    'tokens/documented-types listTokens /*/dueDiligenceComplete',
    'tokens/documented-types listTokens /*/isFeeOnTransferToken',
    'tokens/icon-is-relative listTokens /*/icon',
    'candle/average-is-within-range getLatestV1PoolCandle /avg',
    'candle/average-is-within-range listV2PoolCandles /*/avg',
  ]);
});

test('the testnet profile lacks rows, reported once for the operation', async () => {
  expect(await findingsOf('testnet', '--keyless')).toEqual(['history/complete listV2PoolCandles ']);
});

test('a dead pool leaves the rules of its freshness unjudged', async () => {
  const { rules, findings } = await runOf('testnet', '--keyless', '--pools-v1', '4', '--pools-v2', '1');
  const fresh = rules.find((each) => each.id === 'latest/is-the-newest');
  expect(fresh).toMatchObject({
    outcome: 'unexercised',
    evidence: 0,
    reason: expect.stringContaining('pool 4'),
  });
  expect(findings).toEqual([]);
});
