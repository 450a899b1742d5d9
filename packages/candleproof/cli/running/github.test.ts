import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const recording = join('tests', 'fixtures', 'mitmproxy-f31.har');

test('in GitHub Actions findings are annotated and the job has a summary', async () => {
  const folder = test.info().outputPath();
  const [out, page] = [join(folder, 'out'), join(folder, 'summary.md')];
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
  const shown = await candleproof(['judge', recording, '--out', out], env);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(
    /^::error title=must candle\/average-is-within-range::Avg of candles is .*: GET \/.* at .*: expected /m,
  );
  expect(readFileSync(page, 'utf8')).toBe(readFileSync(join(out, 'summary.md'), 'utf8'));
  const json = await candleproof(['judge', recording, '--out', out, '--json'], { GITHUB_ACTIONS: 'true' });
  expect(JSON.parse(json.stdout)).toEqual(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')));
  expect(json.stderr).toMatch(/^::error /m);
});

test('annotations and summary are switched off by flags', async () => {
  const folder = test.info().outputPath();
  const page = join(folder, 'page.md');
  const off = ['--no-annotations', '--no-step-summary'];
  const { stdout } = await candleproof(['judge', recording, '--out', folder, ...off], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: page,
  });
  expect(stdout).not.toContain('::error');
  expect(existsSync(page)).toBe(false);
});

test('annotations and reports point to the config as seen from the root of the checkout', async () => {
  const root = test.info().outputPath();
  const [config, out] = [join(root, 'candleproof.yaml'), join(root, 'out')];
  const target = '{ baseUrl: https://127.0.0.1:1, keyless: true, pools: { v1: [1] } }';
  writeFileSync(config, `version: 1\ntargets:\n  ours: ${target}\n`);
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: dirname(root) };
  const { code, stdout } = await candleproof(['check', 'ours', '--config', config, '--out', out], env);
  expect(code).toBe(3);
  expect(stdout).toContain(`::error file=${basename(root)}/candleproof.yaml,line=3,title=Inconclusive::`);
});
