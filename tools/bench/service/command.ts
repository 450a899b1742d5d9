import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A `candleproof serve` that listens, preloaded with `report-cpu.ts`, which reports its CPU time. */
export type ServeCommand = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  readonly ca: string;
  /** Folder of its store. */
  readonly data: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
  stop(): Promise<void>;
};

/** The command that users run, whose memory and time `readFigures` reads. */
export function forkCommand(
  argv: readonly string[],
  options: ForkOptions,
  nodeFlags: readonly string[] = [],
): ChildProcess {
  const execArgv = [...nodeFlags, '--import', new URL('./report-cpu.ts', import.meta.url).href];
  return fork(new URL('../../../packages/candleproof/cli/candleproof.js', import.meta.url), argv, {
    ...options,
    execArgv,
  });
}

/** Processor time that a process has taken so far in µs, and what else it counts. */
export async function readFigures<Figures extends NodeJS.CpuUsage>(child: ChildProcess): Promise<Figures> {
  child.send('cpu');
  const [figures] = (await once(child, 'message')) as [Figures];
  return figures;
}

/** Runs the command that users run, on a separate folder. */
export async function serve(
  flags: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<ServeCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-bench-'));
  const [readyFile, data] = [join(folder, 'ready.json'), join(folder, 'data')];
  const argv = ['serve', '--port', '0', '--data', data, '--ready-file', readyFile, ...flags];
  const child = forkCommand(argv, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }, nodeFlags);
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    await pause(50);
  }
  const { url, apiKeyFile, caFile, poolsV1, poolsV2 } = JSON.parse(readFileSync(readyFile, 'utf8'));
  const [key, ca] = [readFileSync(apiKeyFile, 'utf8').trim(), readFileSync(caFile, 'utf8')];
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { child, url, key, ca, data, poolsV1, poolsV2, stop };
}
