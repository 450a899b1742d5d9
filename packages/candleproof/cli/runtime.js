// Plain JavaScript: this much has to run on any Node, to find the one that runs the rest.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** True in a clone, whose sources run: the package holds what was built of them. */
export const isClone = existsSync(new URL('./main.ts', import.meta.url));

/** The folder of the clone or of the package. */
export const root = fileURLToPath(new URL(isClone ? '../../..' : '..', import.meta.url));

const lockFile = join(root, 'package-lock.json');

/** Returns whether this process can run TypeScript without a build. */
export function isRecent() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** The Node that the lock file pins for this platform; undefined where npm brought none. */
export function pinnedNode() {
  const folder = join(
    root,
    'node_modules',
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  );
  const candidates = [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe'), join(folder, 'node.exe')];
  return candidates.find((candidate) => existsSync(candidate));
}

/**
 * Signals that request an end.
 * @type {NodeJS.Signals[]}
 */
const requested = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a script on a Node that is recent enough, and passes signals on to it.
 * @param {string[]} args script and arguments
 * @returns {Promise<number>} exit code
 */
export async function runOnRecentNode(args) {
  const node = pinnedNode() ?? (isRecent() ? process.execPath : undefined);
  if (node === undefined) {
    process.stderr.write(
      `candleproof needs Node 22.18 or newer, this is ${process.versions.node}: ${isClone ? 'run "npm ci", which brings one, or install it' : 'install it'}\n`,
    );
    return 2;
  }
  const bin = join(root, 'node_modules', '.bin');
  const separator = process.platform === 'win32' ? ';' : ':';
  // A start on a recent Node is spared the load of it.
  const { spawn } = await import('node:child_process');
  const child = spawn(node, args, {
    // A channel that closes with this process, even if that is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: `${bin}${separator}${process.env.PATH ?? ''}`,
      [launcherVariable]: String(process.pid),
    },
  });
  for (const signal of requested) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', () => resolve(2));
    child.once('close', (code, signal) => resolve(endOf(code, signal)));
  });
}

/** Names the process that handed over to this one. */
const launcherVariable = 'CANDLEPROOF_LAUNCHER';

/** Ends this process when the one that started it ends: a launcher of ours, or npx. */
export function endWithLauncher() {
  const launcher = process.ppid;
  const isHandedOver = process.env[launcherVariable] === String(launcher) && process.channel !== undefined;
  // Children of this process have another launcher, or none.
  delete process.env[launcherVariable];
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (isHandedOver) {
    process.once('disconnect', end);
    // A listener alone would keep this process running.
    process.channel?.unref();
    return;
  }
  // npx starts a command through a shell, which passes no signal on. Only npx, for what a script leaves running behind
  // itself is meant to stay.
  if (process.env.npm_command !== 'exec') return;
  setInterval(() => {
    if (process.ppid !== launcher) end();
  }, 500).unref();
}

/**
 * Returns our exit code for a child's end: a breakdown of ours is reported in a line, and never takes the exit code of a verdict.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function endOf(code, signal) {
  if (signal !== null && requested.includes(signal)) return 130;
  // A shell in between tells a signal as 128 and its number; 130 and 143 are the ends that were requested.
  const isBroken = signal !== null || (code !== null && code > 128 && code !== 130 && code !== 143);
  if (!isBroken) return code ?? 2;
  process.stderr.write(
    `candleproof: ended by ${signal ?? `signal ${Number(code) - 128}`}, most often for want of memory: give the machine more\n`,
  );
  return 2;
}

/**
 * Returns whether node_modules holds just what the lock file names; what npm left out for other platforms does not count.
 * @param {{omitsDev: boolean}} options whether the packages that only development needs count
 */
export function isSetUp({ omitsDev }) {
  const file = join(root, 'node_modules', '.package-lock.json');
  // npm writes its own lock last. While that is the newer one, a start is spared reading both.
  if (omitsDev && changeTime(file) > changeTime(lockFile)) return true;
  const installed = readPackages(file);
  return neededPackages(omitsDev).every(([path, { version }]) => installed?.[path]?.version === version);
}

/**
 * Returns how many of the packages that every platform needs lie in node_modules already.
 * @param {{omitsDev: boolean}} options whether the packages that only development needs count
 */
export function installed({ omitsDev }) {
  const needed = neededPackages(omitsDev);
  return {
    present: needed.filter(([path]) => existsSync(join(root, path))).length,
    wanted: needed.length,
  };
}

/**
 * Returns when a file was put in its place, in milliseconds; unlike its own time, no archive sets it. 0 for no file.
 * @param {string} file
 */
function changeTime(file) {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

/** @param {boolean} omitsDev */
function neededPackages(omitsDev) {
  return Object.entries(readPackages(lockFile) ?? {}).filter(
    ([path, { optional, dev }]) => path !== '' && !optional && !(omitsDev && dev),
  );
}

/**
 * @param {string} file
 * @returns {Record<string, {version?: string, optional?: boolean, dev?: boolean}> | undefined}
 */
function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/**
 * Mutes Node's warnings about node:sqlite and about types that it strips: a user of ours could do nothing about them.
 */
export function muteExperimentalWarnings() {
  const emit = process.emitWarning;
  process.emitWarning = (/** @type {[any]} */ ...all) => {
    if (!/^(SQLite|stripTypeScriptTypes) is an experimental feature/.test(String(all[0]))) emit(...all);
  };
}
