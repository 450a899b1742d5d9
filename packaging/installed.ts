import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Kept between runs: what npm brought for them; and, while tests run, the command that they start. */
export const cache = resolve('node_modules', '.cache', 'candleproof');

export type InstalledResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A user's project in a folder of its own, with nothing of ours around it: no home, no clone, one Node. */
export class Project {
  readonly folder: string;
  readonly #node: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, node: string) {
    this.folder = folder;
    this.#node = node;
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    this.#env = {
      ...environment(),
      PATH: [resolve(node, '..'), join(folder, 'node_modules', '.bin'), '/usr/bin', '/bin'].join(delimiter),
      HOME: home,
      npm_config_cache: join(cache, 'npm'),
      npm_config_fetch_retries: '1',
      npm_config_fetch_timeout: '20000',
      npm_config_update_notifier: 'false',
    };
    this.write('package.json', '{ "name": "somebody", "private": true, "type": "module" }\n');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  npm(...args: string[]): Promise<InstalledResult> {
    return this.node(npmCli(), ...args, '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline');
  }

  /** `npx candleproof …`, without npm's own start for each. */
  candleproof(...args: string[]): Promise<InstalledResult> {
    return this.node(join('node_modules', 'candleproof', 'cli', 'candleproof.js'), ...args);
  }

  async node(...args: string[]): Promise<InstalledResult> {
    const options = { cwd: this.folder, env: this.#env, timeout: 120_000 };
    try {
      return { code: 0, ...(await run(this.#node, args, options)) };
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as { code?: unknown; stdout?: string; stderr?: string };
      if (typeof code !== 'number') throw error;
      return { code, stdout, stderr };
    }
  }

  /** Runs `work` beside the command, once `file` is there; returns the command's exit code. */
  async beside(file: string, args: readonly string[], work: () => Promise<void>): Promise<number | null> {
    const entry = join('node_modules', 'candleproof', 'cli', 'candleproof.js');
    const child = spawn(this.#node, [entry, ...args], { cwd: this.folder, env: this.#env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      const until = Date.now() + 60_000;
      while (!existsSync(join(this.folder, file))) {
        if (child.exitCode !== null || Date.now() > until) throw new Error(`${args[0]} did not get ready`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await work();
    } finally {
      child.kill('SIGTERM');
    }
    return ended;
  }
}

/** The Node of a version, brought by npm where it is not here yet; undefined where npm has none for this platform. */
export async function nodeOf(version: string): Promise<string | undefined> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cache, `node-${version}`);
  const file = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const args = [npmCli(), 'install', '--prefix', folder, `${name}@${version}`, '--no-audit', '--no-fund'];
  await run(process.execPath, args, { timeout: 120_000 }).catch(() => undefined);
  return existsSync(file) ? file : undefined;
}

/** How this machine reaches its registry, and nothing of the clone or of what started this test. */
function environment(): NodeJS.ProcessEnv {
  const ours =
    /^(CANDLEPROOF_|XDG_|npm_(package|lifecycle|command|node|config_local_prefix)|(CI|INIT_CWD|NODE_OPTIONS|FORCE_COLOR|TZ)$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Packs the clone into `folder`; returns the names of the packed files. */
export async function pack(folder: string): Promise<{ tarball: string; files: string[] }> {
  const args = [npmCli(), 'pack', '--json', '--foreground-scripts=false', '--pack-destination', folder];
  const { stdout } = await run(process.execPath, args, { timeout: 300_000, maxBuffer: 1 << 24 });
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  return {
    tarball: join(folder, packed.filename),
    files: packed.files.map((file: { path: string }) => file.path),
  };
}

/** npm is not part of the Node that is tested: the one that runs this test's npm serves all. */
function npmCli(): string {
  const file = process.env.npm_execpath;
  if (!file) throw new Error('run this by npm: npm run package');
  return file;
}
