import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { endMarked, spawnMarked } from '@candleproof/files/process-mark';
import type { Sink } from '../plan/definition.ts';
import type { AlertMessage } from './message.ts';

export type CommandSink = Extract<Sink, { kind: 'command' }>;

export type CommandOptions = {
  readonly signal: AbortSignal;
  /** The variables that the command inherits; ours are taken out, since one of them is the key. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limitMs?: number;
};

/** Ms that a command may take. */
const usualLimitMs = 30_000;

/**
 * Runs a command without a shell: the message as JSON on its standard input, its facts as CANDLEPROOF_ variables. What
 * it prints is not read. Resolves to undefined for exit 0, else to why not. After its time, and when the signal is
 * aborted, it is killed with its children, on Linux also those that left its group. Never rejects.
 */
export function run(
  { command }: CommandSink,
  message: AlertMessage,
  { signal, environment, limitMs = usualLimitMs }: CommandOptions,
): Promise<string | undefined> {
  const [program, ...rest] = command;
  if (program === undefined) return Promise.resolve('the command is empty');
  return new Promise((resolve) => {
    const limit = AbortSignal.any([AbortSignal.timeout(limitMs), signal]);
    const started = start(program, rest, commandEnvironment(message, environment));
    if (started === undefined) return resolve('not started');
    const { child, mark } = started;
    const kill = (): void => {
      killTree(child);
      endMarked(mark);
    };
    limit.addEventListener('abort', kill);
    const end = (reason: string | undefined): void => {
      limit.removeEventListener('abort', kill);
      resolve(limit.aborted ? `not done within ${limitMs / 1000} s` : reason);
    };
    child.once('error', (error) => end(`not started (${'code' in error ? error.code : 'error'})`));
    child.once('exit', (code, by) => end(code === 0 ? undefined : `ended by ${by ?? `exit code ${code}`}`));
    if (limit.aborted) kill();
    // A command that does not read its input closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${JSON.stringify(message)}\n`);
  });
}

function start(program: string, rest: readonly string[], env: Record<string, string>) {
  try {
    // A separate group on POSIX, so that its children can be killed with it.
    const detached = process.platform !== 'win32';
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
    return spawnMarked(() => spawn(program, rest, { env, detached, stdio, windowsHide: true }));
  } catch {
    return undefined;
  }
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function commandEnvironment(
  message: AlertMessage,
  inherited: CommandOptions['environment'],
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !/^CANDLEPROOF_/i.test(name)) env[name] = value;
  }
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === 'object') continue;
    env[`CANDLEPROOF_${name.toUpperCase()}`] = String(value).replaceAll('\0', '');
  }
  return env;
}
