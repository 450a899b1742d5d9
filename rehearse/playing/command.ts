import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { markOfClient, reaperFor } from './reaper.ts';

/** How a client ended: by itself, by a signal of somebody's, or cut off by us after its time. */
export type CommandEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: string }
  | { readonly how: 'cut'; readonly code?: number };

export type CommandRun = {
  readonly end: CommandEnd;
  /** Milliseconds from its start to its end, or to the signal that cut it off. */
  readonly lived: number;
  readonly stdout: string;
  readonly stderr: string;
};

export type ClientCommand = {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly forMs: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
};

/** The command cannot be started: it is not there, or not to be executed. */
export class UnstartableCommand extends Error {
  override readonly name = 'UnstartableCommand';
}

/** How long (ms) it may take to end after SIGTERM. */
const graceMs = 2000;
/** Characters that are kept of each stream: the first ones. */
export const mostKept = 65_536;
/** Beyond them, so that a key that begins within is found whole. */
const overlap = 2048;

/**
 * Runs a client in a process group of its own, and ends the whole group: after its time with SIGTERM, then with
 * SIGKILL. Where the system shows the environment of processes, as Linux does, what left the group is ended too, and
 * all of it where this process is killed. Throws UnstartableCommand.
 */
export async function runCommand({ command, env, forMs, signal }: ClientCommand): Promise<CommandRun> {
  const [file = '', ...args] = command;
  const started = performance.now();
  let cutAt: number | undefined;
  const marked = { ...env, ...markOfClient() };
  const child = spawn(file, args, { env: marked, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const reaper = reaperFor(child.pid, marked);
  const cut = (): void => {
    cutAt ??= performance.now() - started;
    endGroup(child, 'SIGTERM');
    kill ??= setTimeout(() => endGroup(child, 'SIGKILL'), graceMs);
  };
  let kill: NodeJS.Timeout | undefined;
  const timer = setTimeout(cut, forMs);
  signal?.addEventListener('abort', cut, { once: true });
  const leave = (): void => endGroup(child, 'SIGKILL');
  process.once('exit', leave);
  const [stdout, stderr] = [keptOf(child.stdout), keptOf(child.stderr)];
  try {
    if (signal?.aborted) cut();
    const end = await exited(child, file);
    const lived = cutAt ?? performance.now() - started;
    // What it started itself would hold the streams open.
    endGroup(child, 'SIGKILL');
    await reaper?.reap();
    await closed(child);
    return { end: cutAt === undefined ? end : cutEnd(end), lived, stdout: stdout(), stderr: stderr() };
  } finally {
    clearTimeout(timer);
    clearTimeout(kill);
    await reaper?.reap();
    signal?.removeEventListener('abort', cut);
    process.off('exit', leave);
  }
}

function cutEnd(end: CommandEnd): CommandEnd {
  return end.how === 'exited' ? { how: 'cut', code: end.code } : { how: 'cut' };
}

function exited(child: ChildProcess, file: string): Promise<CommandEnd> {
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

/** A descendant that left the group, and could not be found, may keep a stream open: it is not waited for. */
async function closed(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].map(
    (each) => each === null || each.closed || new Promise((resolve) => each.once('close', resolve)),
  );
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.all(streams), patience]);
  clearTimeout(timer);
  for (const each of [child.stdout, child.stderr]) each?.destroy();
}

/** The group has the number of its first process; where there are no groups, that process alone. */
function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of it is gone.
  }
}

/** Reads a stream to its end and keeps its beginning. */
function keptOf(stream: Readable | null): () => string {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (piece: Buffer) => {
    if (bytes < mostKept + overlap) pieces.push(piece);
    bytes += piece.length;
  });
  return () =>
    Buffer.concat(pieces)
      .toString('utf8')
      .slice(0, mostKept + overlap);
}
