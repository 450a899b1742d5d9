import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, environment } from '@candleproof/testing/environment';
import { called } from './called.ts';

// Before its workers start, the runner loads the tests that were chosen: only those that may start the command wait for it.
if (!process.env.CANDLEPROOF_COMMAND) await (await import('./built-command.ts')).provideCommand();

/** Starts the command, as it is built for this run of the tests, as a shell would. */
export function start(args: readonly string[], changes: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [String(process.env.CANDLEPROOF_COMMAND), ...args], {
    env: environment(changes),
  });
}

/** Commands that run until a signal comes, or whose children and signal handlers outlive a call. */
const needsProcess: readonly (string | undefined)[] = ['serve', 'proxy', 'load', 'monitor'];

/**
 * Runs the command and waits for its end: in this process if possible, since loading it again costs more than most
 * calls. Changes to Node's options need a separate process too.
 */
export async function candleproof(
  args: readonly string[],
  changes: Record<string, string> = {},
): Promise<Ended> {
  const isShort = args.includes('--once') || /^(keys|ingest|faults|results|alerts)$/.test(args[1] ?? '');
  const isLasting = needsProcess.includes(args[0]) && !isShort;
  if (isLasting || args[0] === '--version' || changes.NODE_OPTIONS !== undefined)
    return waitForEnd(start(args, changes));
  return called(args, changes);
}

/** Waits for the end of a command, and returns its output and its exit code. */
export async function waitForEnd(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

export type Ready = {
  readonly url: string;
  readonly apiKeyFile: string;
  readonly caFile: string;
  readonly poolsV1: number[];
  readonly poolsV2: number[];
  readonly pid: number;
  readonly operatorUrl?: string;
  readonly operatorToken?: string;
};

export type Served = { readonly ready: Ready; readonly log: () => string; stop(): Promise<number | null> };

/** Starts `candleproof serve` on a free port and waits until it says that it listens. */
export function serve(folder: string, ...flags: string[]): Promise<Served> {
  return serveLogging('debug', folder, ...flags);
}

/** The same with another log level. */
export async function serveLogging(level: string, folder: string, ...flags: string[]): Promise<Served> {
  const readyFile = join(folder, 'ready.json');
  const child = start(
    ['serve', '--port', '0', '--data', join(folder, 'store'), '--ready-file', readyFile, ...flags],
    { LOG_LEVEL: level },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      log += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    ready: JSON.parse(readFileSync(readyFile, 'utf8')),
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The flags that point a check at a served target. */
export function flagsFor({ url, apiKeyFile, caFile, poolsV1, poolsV2 }: Ready): string[] {
  const pools = ['--pools-v1', poolsV1.join(','), '--pools-v2', poolsV2.join(',')];
  return ['--base-url', url, '--api-key-file', apiKeyFile, '--ca-file', caFile, ...pools];
}
