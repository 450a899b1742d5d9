// npm start, npm test, npm run check …: does the set-up that is missing, then runs the job on the pinned Node.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, isRecent, isSetUp, root, runOnRecentNode } from './runtime.js';

/** @param {string} name @param {string[]} args */
const tool = (name, ...args) => [join(root, 'node_modules', ...name.split('/')), ...args];

const test = tool('@playwright/test/cli.js', 'test');
const biome = tool('@biomejs/biome/bin/biome', 'check');

const lint = [
  [...biome, '--error-on-warnings', '.'],
  tool('typescript/bin/tsc', '-p', '.'),
  tool('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.json', '.'),
];

// `npm test -w packages/law` runs in that folder, and means the tests below it.
const here = `^${process.cwd().replaceAll(/[^\w/]/g, '\\$&')}/`;

/** @type {Record<string, string[][]>} */
const jobs = {
  start: [['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('./start.ts', import.meta.url))]],
  test: [test],
  'test-here': [[...test, here]],
  lint,
  pack: [[join(root, 'tools', 'packaging', 'pack.ts')]],
  audit: [[join(root, 'tools', 'packaging', 'audit.ts')]],
  package: [[...test, '--project=package']],
  format: [[...biome, '--write', '.']],
  bench: [[join(root, 'tools', 'bench', 'all.ts')]],
};

/** Milliseconds between two words of npm's work. */
const beatMs = 5000;

const [job = '', ...rest] = process.argv.slice(2);
const isTesting = ['test', 'test-here', 'check'].includes(job);
process.chdir(root);
// Our tests are about the embedded service, in a pipeline too, unless a target is named.
if (!process.env.CANDLEPROOF_BASE_URL) process.env.CANDLEPROOF_TARGET ??= 'local';
// Node takes the types off itself: Playwright would do so again, and a fresh clone would wait for it.
if (isTesting) process.env.PW_DISABLE_TS_ESM ??= '1';
// Each worker loads the same sources: the first one compiles them, where the command keeps what it has compiled too.
if (isTesting) process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
if (job === 'package') process.env.CANDLEPROOF_PACKAGE = '1';
// `npm start` needs no browser and no linter: `npm test` installs them.
const omitsDev = job === 'start' && !hasDevPackages();
process.exitCode =
  (await setUp()) || (await run(job === 'check' ? [...lint, ...testChangedFolders()] : (jobs[job] ?? [])));

/** Returns whether packages for development were installed before, which a lighter set-up would remove. */
function hasDevPackages() {
  return existsSync(join(root, 'node_modules', '@playwright', 'test'));
}

/**
 * Returns the test of the folders whose files differ from the last commit; none if no such folder has tests. The tests
 * that reach a changed file are often all of them.
 */
function testChangedFolders() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  const files = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const folders = [...new Set(files.filter(Boolean).map((file) => dirname(file)))].filter(
    (folder) =>
      folder !== '.' && existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.test.ts')),
  );
  return folders.length > 0 ? [[...test, ...folders.map((folder) => `${folder}/[^/]+$`)]] : [];
}

/** Installs what is missing, and prints how far that is: npm itself says nothing where it is no terminal's. */
async function setUp() {
  if (isSetUp({ omitsDev })) return 0;
  const began = Date.now();
  process.stdout.write('setting up: npm ci, a minute or so the first time …\n');
  // The pinned Node is most of what npm would bring, and one that is recent enough does as well.
  const omitted = omitsDev ? ['--omit=dev', ...(isRecent() ? ['--omit=optional'] : [])] : [];
  const quiet = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...omitted];
  const npm = process.env.npm_execpath;
  const child = npm
    ? spawn(process.execPath, [npm, ...quiet], { stdio: 'inherit' })
    : spawn('npm', quiet, { stdio: 'inherit', shell: process.platform === 'win32' });
  const beat = setInterval(() => {
    const { present, wanted } = installed({ omitsDev });
    const seconds = Math.round((Date.now() - began) / 1000);
    process.stdout.write(`  ${present} of ${wanted} packages in place after ${seconds} s …\n`);
  }, beatMs);
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(2));
    child.once('close', (code) => resolve(code ?? 2));
  });
  clearInterval(beat);
  if (status === 0) process.stdout.write('set up\n');
  return status;
}

/** @param {string[][]} steps */
async function run(steps) {
  for (const [index, step] of steps.entries()) {
    const code = await runOnRecentNode(index === steps.length - 1 ? [...step, ...rest] : step);
    if (code !== 0) return code;
  }
  return 0;
}
