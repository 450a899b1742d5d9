import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { runLines } from '@candleproof/testing/block-shell';
import { isShown, listShellBlocks, listShownCalls } from '@candleproof/testing/page-blocks';
import { expect, test } from '@playwright/test';
import { publint } from 'publint';
import { parse } from 'yaml';
import { bundle } from './bundle.ts';
import { findNode, Project, pack } from './installed.ts';
import { isPlaceholder, manifest, repository } from './manifest.ts';
import { listDeadLinks } from './testing/dead-links.ts';
import { tryEveryCommand } from './testing/every-command.ts';

/** Sources that make no part of what is published. */
const ofNoUser =
  /^(tests|tools(?!\/bench\/RESULTS)|node_modules)\/|(^|\/)(testing|worlds)\/|\.breaches\.|\.(test|spec)\./;

test.describe.configure({ mode: 'default', timeout: 420_000 });

const folder = passingFolder();
let packed: Awaited<ReturnType<typeof pack>>;

test.beforeAll(async () => {
  test.setTimeout(420_000);
  packed = await pack(folder);
});

test('the package has only built code and its documents', () => {
  const documents = ['gallery/*/openapi.yaml', 'docs/**/*.*', 'deploy/**/*.*'].flatMap((pattern) =>
    globSync(pattern).filter((file) => !/\.test\.|\/decode\//.test(file)),
  );
  const outside = packed.files.filter((file) => !file.startsWith('dist/')).toSorted();
  expect(outside).toEqual(
    [
      ...[
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'SKILL.md',
      ],
      ...['action.yml', 'tools/bench/RESULTS.md', 'cli/candleproof.js', 'cli/runtime.js'],
      ...[...documents, 'deploy/container/Dockerfile'].toSorted(),
      ...[
        'packages/candleproof/cli/config/candleproof.schema.json',
        'llms.txt',
        'openapi.yaml',
        'package.json',
      ],
      ...[
        'monitors/page/numbers.schema.json',
        'packages/reference-service/ingest/record.schema.json',
        'packages/rehearse/rehearsal.schema.json',
      ],
      ...globSync('reports/*.schema.json'),
    ].toSorted(),
  );
  expect(packed.files.filter((file) => ofNoUser.test(file.replace(/^dist\//, '')))).toEqual([]);
  // Browser code is published without changes.
  const written = packed.files.filter((file) => /(?<!\.d)\.ts$/.test(file));
  expect(written.filter((file) => !/^dist\/(reports|packages\/site)\//.test(file))).toEqual([]);
});

test('every link of a page in the package leads somewhere in it', () => {
  expect(listDeadLinks(packed.files)).toEqual([]);
});

test('no tests and no other package are bundled', async () => {
  const sources = await bundle(join(folder, 'built'));
  expect(sources).toContain('packages/candleproof/cli/main.ts');
  expect(sources.filter((source) => ofNoUser.test(source))).toEqual([]);
});

test('published schemas are addresses below the repository', () => {
  for (const [name, file] of Object.entries(manifest.publishConfig.exports)) {
    if (typeof file !== 'string' || !name.startsWith('./schemas/')) continue;
    const { $id } = JSON.parse(readFileSync(join(packed.folder, file), 'utf8'));
    expect($id, name).toBe(`${repository}/raw/main/${file.replace('./dist/', '')}`);
  }
});

test('package.json names the repository that it is published from', () => {
  test.skip(isPlaceholder, `repository.url is still a placeholder, ${repository}: set it before you publish`);
  expect(URL.canParse(repository)).toBe(true);
});

test('the release workflow packs a tarball whose checksum holds', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  const { run } = jobs.package.steps.find((step: { name?: string }) => step.name === 'Pack');
  const release = join(folder, 'release');
  const script = run.replaceAll(/\brelease\b/g, release);
  execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], { stdio: 'pipe' });
  const { version } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' });
  expect(checked).toBe(`candleproof-${version}.tgz: OK\n`);
});

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: packed.folder, strict: true });
  expect(messages).toEqual([]);
});

test('exports resolve to types', async () => {
  const data = createPackageFromTarballData(readFileSync(packed.tarball));
  const result = await checkPackage(data, { excludeEntrypoints: ['./openapi.yaml'] });
  if (!result.types) throw new Error('there are no types');
  // It is for ES modules, and for resolution by `exports`, which the oldest kind does not read.
  const isMeant = (problem: object): boolean =>
    'resolutionKind' in problem && problem.resolutionKind === 'node10';
  const problems = result.problems.filter(
    (problem) => problem.kind !== 'CJSResolvesToESM' && !isMeant(problem),
  );
  expect(problems).toEqual([]);
});

test('an installation has at most 17 MB and 60 packages and no path of the build machine', async () => {
  const project = await installed(process.execPath, 'weighed');
  const modules = join(project.folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((dirent) =>
    dirent.isFile(),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  expect(bytes).toBeLessThan(17e6);
  expect(Object.keys(packages).length).toBeLessThanOrEqual(60);
  const ours = files.filter((file) => file.parentPath.startsWith(join(modules, 'candleproof')));
  const revealing = ours.filter((dirent) =>
    readFileSync(join(dirent.parentPath, dirent.name), 'utf8').includes(resolve('.')),
  );
  expect(revealing.map((file) => file.name)).toEqual([]);
});

for (const version of ['22.18.0', '24.0.0', '26']) {
  test(`on Node ${version} it installs, runs every command, type-checks and runs its examples`, async () => {
    const node = await findNode(version);
    test.skip(node === undefined, `npm brings no Node ${version} for this platform`);
    await tryAll(await installed(node ?? '', `on-${version}`), version);
  });
}

test('what README.md and SKILL.md say to type works in a project', async () => {
  const project = await installed(process.execPath, 'typed');
  project.write('traffic.har', readFileSync('tests/fixtures/mitmproxy-f31.har', 'utf8'));
  const command = join(project.folder, 'node_modules', 'candleproof', 'cli', 'candleproof.js');
  const blocks = ['README.md', 'SKILL.md'].flatMap(listShellBlocks);
  // `--spec NAME` calls a public exchange.
  for (const block of blocks.filter(({ leftOut, text }) => leftOut === undefined && !/--spec/.test(text))) {
    const calls = block.language === 'console' ? listShownCalls(block.text) : [];
    for (const { command: lines, output } of calls) {
      const { printed } = await runLines(lines, { folder: project.folder, command });
      expect(isShown(output, printed), `${lines}: ${printed}`).toBe(true);
    }
    if (calls.length > 0) continue;
    const { code, printed } = await runLines(block.text, { folder: project.folder, command });
    expect(code, printed).toBe(block.exit);
  }
});

test('jest loads it with a flag of Node, and tsx from CommonJS', async () => {
  const project = await installed(process.execPath, 'loaded');
  expect(await project.npm('install', '--save-dev', 'jest@30', 'tsx@4')).toMatchObject({ code: 0 });
  project.write('loaded.cts', "import { check } from 'candleproof';\nconsole.log(typeof check);\n");
  expect(await project.node('node_modules/tsx/dist/cli.mjs', 'loaded.cts')).toMatchObject({
    stdout: 'function\n',
  });
  project.write(
    'loaded.test.mjs',
    "import { check } from 'candleproof';\ntest('it is there', () => expect(typeof check).toBe('function'));\n",
  );
  const tested = await project.node(
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--config={}',
  );
  expect(tested, tested.stderr).toMatchObject({ code: 0 });
});

test('an older Node gets one line', async () => {
  const node = await findNode('20.11.0');
  test.skip(node === undefined, 'npm brings no Node 20 for this platform');
  const project = await installed(process.execPath, 'older');
  const old = new Project(project.folder, node ?? '');
  const { code, stdout, stderr } = await old.candleproof('check', 'local');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe('candleproof needs Node 22.18 or newer, this is 20.11.0: install it\n');
});

async function installed(node: string, name: string): Promise<Project> {
  const project = new Project(join(folder, name), node);
  expect(await project.npm('install', packed.tarball)).toMatchObject({ code: 0, stderr: '' });
  return project;
}

async function tryAll(project: Project, version: string): Promise<void> {
  await tryCommands(project);
  await tryEveryCommand(project);
  await tryExamples(project, version);
}

async function tryCommands(project: Project): Promise<void> {
  const { version } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  expect(await project.candleproof('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const checked = await project.candleproof('check', 'local', '--out', 'local');
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(/Conformant/);
  project.write('foreign.yaml', `${readFileSync('openapi.yaml', 'utf8')}# another one\n`);
  const overlay = 'overlay: 1.1.0\nactions: [{ target: $.info, update: { title: Other } }]\n';
  project.write('other.overlay.yaml', overlay);
  const overlaid = ['--spec', 'foreign.yaml', '--overlay', 'other.overlay.yaml', '--pools', 'v1=1'];
  expect(await project.candleproof('plan', 'https://host', ...overlaid)).toMatchObject({
    code: 0,
    stderr: '',
  });
  const listed = await project.candleproof('plan', '--spec', 'binance', '--pools', 'ETHUSDT');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('api.binance.com') });
  const away = await project.candleproof(
    'serve',
    'keys',
    'list',
    '--database',
    'postgres://127.0.0.1:1/candles',
  );
  expect(away).toMatchObject({ code: 2, stderr: expect.stringContaining('not installed: npm install pg') });
  project.write('traffic.har', readFileSync('tests/fixtures/mitmproxy-f31.har', 'utf8'));
  const judged = await project.candleproof('judge', 'traffic.har', '--out', 'judged');
  expect(judged).toMatchObject({ code: 1, stderr: '' });
  expect(judged.stdout).toContain('candle/average-is-within-range');
}

/** Names for CommonJS modules to require. */
const required = ['', '/service', '/observe', '/rehearse', '/playwright'].map((door) => `candleproof${door}`);

/** The documented examples, in a project that is as strict as TypeScript can be. */
async function tryExamples(project: Project, version: string): Promise<void> {
  const { devDependencies: ours } = JSON.parse(readFileSync('package.json', 'utf8'));
  const tools = ['typescript', '@types/node', '@playwright/test'].map((name) => `${name}@${ours[name]}`);
  tools.push('typescript-7@npm:typescript@7');
  expect(await project.npm('install', '--save-dev', ...tools)).toMatchObject({ code: 0 });
  const names = writeExamples(project);
  const scripts = ['check.ts', 'judge.ts', 'other-api.ts', 'observe.ts', 'rehearse.ts'];
  expect(names).toEqual([...scripts, 'tokens.spec.ts', 'playwright.config.ts']);
  const strict = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024' };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: strict, include: ['*.ts', '*.cts'] }));
  project.write('required.cts', required.map((name, at) => `import m${at} = require('${name}');`).join('\n'));
  for (const compiler of ['typescript', 'typescript-7'])
    expect(await project.node(`node_modules/${compiler}/bin/tsc`)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  project.write('required.cjs', required.map((name) => `require('${name}');`).join('\n'));
  expect(await project.node('required.cjs')).toMatchObject({ code: 0, stdout: '' });
  const { stdout: checked } = await project.node('check.ts');
  expect(checked).toMatch(
    /^nonconformant \d+ requests\n(.*\n)*must candle\/average-is-within-range: expected /,
  );
  expect((await project.node('judge.ts')).stdout).toMatch(/^nonconformant \d+\n$/);
  expect(readdirSync(join(project.folder, 'report'))).toContain('index.html');
  expect((await project.node('observe.ts')).stdout).toMatch(/^inconclusive /);
  expect((await project.node('rehearse.ts')).stdout).toBe(
    'steady inconclusive the client sent nothing to CANDLEPROOF_BASE_URL\n',
  );
  const suite = await project.node('node_modules/@playwright/test/cli.js', 'test');
  // The oldest Nodes cannot trust an authority while they run, and say so.
  expect(suite.stdout).toMatch(
    ['22.18.0', '24.0.0'].includes(version) ? /take Node 22\.19, 24\.5 or newer/ : /2 passed/,
  );
}

/** Each block of docs/library.md goes into the file that its first line names. */
function writeExamples(project: Project): string[] {
  const page = readFileSync('docs/library.md', 'utf8');
  return [...page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => {
    project.write(name, text);
    return name;
  });
}
