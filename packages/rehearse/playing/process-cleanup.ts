import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** Ends all processes of a client, on request or when this process is gone. */
export type ProcessCleanup = {
  /** Ends the processes and resolves when they have ended. */
  end(): Promise<void>;
};

/** Variable that all processes of a client inherit, including those that leave its process group. */
const mark = 'CANDLEPROOF_REHEARSAL';

/** Returns the variable with a unique value by which the clean-up finds the client's processes. */
export function clientMark(): Readonly<Record<string, string>> {
  return { [mark]: randomUUID() };
}

/**
 * Waits for the end of its input, which also comes when our process is killed. Then kills the group, and all processes
 * with a mark, in the environment or the limits that the system shows of them: until none is left, or five times, since
 * an ended process may stay in the table.
 */
const script = `
read -r _
kill -9 -- "-$1" 2>/dev/null
for round in 1 2 3 4 5; do
  ended=
  for path in $(grep -ls "$2" /proc/[0-9]*/environ 2>/dev/null
    [ -z "$3" ] || grep -ls "^Max resident set  *$3 " /proc/[0-9]*/limits 2>/dev/null); do
    pid=\${path#/proc/}
    pid=\${pid%%/*}
    [ "$pid" = "$$" ] || { kill -9 "$pid" 2>/dev/null && ended=1; }
  done
  [ -n "$ended" ] || break
done
`;

/** Longest wait (ms) for the clean-up to finish. */
const patienceMs = 5000;

/** Starts the clean-up of the process group of a client, and its mark in the limits; undefined on systems without groups. */
export function startProcessCleanup(
  group: number | undefined,
  client: Readonly<Record<string, string | undefined>>,
  limit: string | undefined,
): ProcessCleanup | undefined {
  if (group === undefined || process.platform === 'win32') return undefined;
  const wanted = `${mark}=${client[mark]}`;
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(group), wanted, limit ?? ''], {
    // A signal to our process group, such as from a terminal, must not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  // Without a shell, only the process group is ended, by its starter.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return {
    end: async () => {
      if (watcher.exitCode !== null || watcher.pid === undefined) return;
      watcher.stdin.end();
      const ended = once(watcher, 'exit');
      const timer = setTimeout(() => watcher.kill('SIGKILL'), patienceMs);
      await ended.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
