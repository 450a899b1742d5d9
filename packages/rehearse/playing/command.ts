import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { spawnMarked } from '@candleproof/files/process-mark';
import { OneLineError } from '@candleproof/files/usage-error';
import { OutputBeginning } from './output-beginning.ts';
import { clientMark, startProcessCleanup } from './process-cleanup.ts';

/**
 * The end of a client: it exited, was ended by a signal, or was cut off, after its time or because the caller gave it up. One
 * that was cut off has a code if it exited in the grace period, as many do at SIGTERM.
 */
export type CommandEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: string }
  | { readonly how: 'cut'; readonly code?: number };

export type CommandRun = {
  readonly end: CommandEnd;
  /** Milliseconds from start to end, or to the cut-off. */
  readonly lived: number;
  /** The beginning of each stream, redacted. */
  readonly stdout: string;
  readonly stderr: string;
};

export type ClientCommand = {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds after which it is cut off. */
  readonly forMs: number;
  /** Cuts it off earlier. */
  readonly signal?: AbortSignal | undefined;
  /** Removes the secrets from the output. */
  readonly redact: (text: string) => string;
};

/** Thrown for a command that is missing or not executable. */
export class UnstartableCommand extends OneLineError {
  override readonly name = 'UnstartableCommand';
}

/** Grace period (ms) from SIGTERM to SIGKILL, in which a client may close files, and for streams to close after its end. */
const graceMs = 2000;

/**
 * Runs a client in a separate process group. After its time, ends the whole group with SIGTERM, then SIGKILL. On
 * Linux, also ends processes that left the group, and all of them if this process is killed. Throws UnstartableCommand.
 */
export async function runCommand({
  command,
  env,
  forMs,
  signal,
  redact,
}: ClientCommand): Promise<CommandRun> {
  const [file = '', ...args] = command;
  const started = performance.now();
  let cutAt: number | undefined;
  let kill: NodeJS.Timeout | undefined;
  // The variable stays with processes that leave the group by setsid; only the limit stays with those that env -i starts.
  const markedEnv = { ...env, ...clientMark() };
  const { child, mark: limitMark } = spawnMarked(() =>
    spawn(file, args, { env: markedEnv, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const cleanup = startProcessCleanup(child.pid, markedEnv, limitMark);
  const cut = (): void => {
    cutAt ??= performance.now() - started;
    endGroup(child, 'SIGTERM');
    kill ??= setTimeout(() => endGroup(child, 'SIGKILL'), graceMs);
  };
  const timer = setTimeout(cut, forMs);
  signal?.addEventListener('abort', cut, { once: true });
  const killGroup = (): void => endGroup(child, 'SIGKILL');
  process.once('exit', killGroup);
  const [stdout, stderr] = [keepBeginning(child.stdout), keepBeginning(child.stderr)];
  try {
    if (signal?.aborted) cut();
    const end = await waitForExit(child, file);
    const lived = cutAt ?? performance.now() - started;
    // Child processes of the client would keep the streams open.
    endGroup(child, 'SIGKILL');
    await cleanup?.end();
    await closeStreams(child);
    return {
      ...{ end: cutAt === undefined ? end : cutEnd(end), lived },
      stdout: stdout.redact(redact),
      stderr: stderr.redact(redact),
    };
  } finally {
    clearTimeout(timer);
    clearTimeout(kill);
    await cleanup?.end();
    signal?.removeEventListener('abort', cut);
    process.off('exit', killGroup);
  }
}

function cutEnd(end: CommandEnd): CommandEnd {
  return end.how === 'exited' ? { how: 'cut', code: end.code } : { how: 'cut' };
}

function waitForExit(child: ChildProcess, file: string): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(unstartable(error, file)));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'signalled', signal }),
    );
  });
}

function unstartable({ code, message }: NodeJS.ErrnoException, file: string): UnstartableCommand {
  const mend =
    code === 'ENOENT'
      ? 'command not found: give a program on the PATH, or a path to one'
      : code === 'EACCES'
        ? 'permission denied: make it executable, or start it by its interpreter'
        : message;
  return new UnstartableCommand(`${file}: ${mend}`);
}

/** Waits for the streams to close, at most the grace period: a process that left the group may hold one open. Then closes them. */
async function closeStreams(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].map(
    (stream) => stream === null || stream.closed || new Promise((resolve) => stream.once('close', resolve)),
  );
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.all(streams), patience]);
  clearTimeout(timer);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
}

/** Signals the process group, which has the id of its first process; on Windows that process only. */
function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All processes have ended.
  }
}

/** Reads a stream to its end, and keeps its beginning. */
function keepBeginning(stream: Readable | null): OutputBeginning {
  const output = new OutputBeginning();
  stream?.on('data', (piece: Buffer) => output.add(piece));
  return output;
}
