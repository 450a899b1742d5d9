import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** Ends whatever a client started, on request, and by itself where our own process is gone. */
export type Reaper = {
  /** Ends all of it; resolves once that is done. */
  reap(): Promise<void>;
};

/** Every process of a client inherits it, also one that left the client's process group. */
const mark = 'CANDLEPROOF_REHEARSAL';

/** What a client is started with, so that a reaper finds its processes. */
export function markOfClient(): Readonly<Record<string, string>> {
  return { [mark]: randomUUID() };
}

/**
 * Waits until its input ends, as it does when the process that holds the other end is killed; then ends the group, and
 * what has the mark, where the system shows the environment of processes: twice, for what was just being started.
 */
const script = `
read -r _
kill -9 -- "-$1" 2>/dev/null
for round in 1 2; do
  grep -ls "$2" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ each _; do
    [ "$each" = "$$" ] || kill -9 "$each" 2>/dev/null
  done
done
`;

/** Longest that a reaping is waited for (ms). */
const patienceMs = 5000;

/** Keeps watch over the process group of a client; undefined where there are no groups. */
export function reaperFor(
  group: number | undefined,
  client: Readonly<Record<string, string | undefined>>,
): Reaper | undefined {
  if (group === undefined || process.platform === 'win32') return undefined;
  const wanted = `${mark}=${client[mark]}`;
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(group), wanted], {
    // A signal to our own group, as from a terminal, must not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  // Without a shell the group alone is ended, by its starter.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return {
    reap: async () => {
      if (watcher.exitCode !== null || watcher.pid === undefined) return;
      watcher.stdin.end();
      const ended = once(watcher, 'exit');
      const timer = setTimeout(() => watcher.kill('SIGKILL'), patienceMs);
      await ended.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
