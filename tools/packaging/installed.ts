import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { assemblePackage } from './assemble.ts';

const run = promisify(execFile);

/** Cache of npm between runs, and of the command that tests start. */
export const cache = resolve('node_modules', '.cache', 'candleproof');

export type InstalledResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A user's project in a separate folder, isolated from the clone and the home folder, with one Node. */
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

  /** Runs `npx candleproof …` without starting npm. */
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

  /** Runs `work` during the command, once `file` exists. Returns the command's exit code. */
  async workDuringCommand(
    file: string,
    args: readonly string[],
    work: () => Promise<void>,
  ): Promise<number | null> {
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

/** Returns the Node of a version, installed by npm if necessary; undefined if npm has none for this platform. */
export async function findNode(version: string): Promise<string | undefined> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cache, `node-${version}`);
  const file = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const args = [npmCli(), 'install', '--prefix', folder, `${name}@${version}`, '--no-audit', '--no-fund'];
  await run(process.execPath, args, { timeout: 120_000 }).catch(() => undefined);
  return existsSync(file) ? file : undefined;
}

/** Returns the environment with registry settings but without variables of the clone or of the running test. */
function environment(): NodeJS.ProcessEnv {
  const ours =
    /^(CANDLEPROOF_|XDG_|npm_(package|lifecycle|command|node|config_local_prefix)|(CI|INIT_CWD|NODE_OPTIONS|FORCE_COLOR|TZ)$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** The published package: as a folder, as a tarball, and the names of its files. */
export type Packed = { readonly folder: string; readonly tarball: string; readonly files: readonly string[] };

/** Packs the package into `folder`; returns the names of the packed files. */
export async function pack(folder: string): Promise<Packed> {
  const source = join(folder, 'package');
  await assemblePackage(source);
  const args = [npmCli(), 'pack', source, '--json', '--pack-destination', folder];
  const { stdout } = await run(process.execPath, args, { timeout: 300_000, maxBuffer: 1 << 24 });
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  return {
    folder: source,
    tarball: join(folder, packed.filename),
    files: packed.files.map((file: { path: string }) => file.path),
  };
}

/** Returns the npm that runs this test: the tested Node has none. */
function npmCli(): string {
  const file = process.env.npm_execpath;
  if (!file) throw new Error('run this by npm: npm run package');
  return file;
}
