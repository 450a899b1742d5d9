import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** The line of /proc for the limit that carries a mark: Linux shows it, children inherit it, and nothing obeys it. */
const limitLine = /^Max resident set +(\S+) +(\S+) /m;

/** A hard limit (bytes) below which real programs might meet ours. */
const least = 1n << 50n;

/** A started process, and the mark that it and all of its descendants carry; undefined where there can be none. */
export type Marked<Child> = { readonly child: Child; readonly mark: string | undefined };

/**
 * Starts a process by `spawn` with a mark that neither another session nor an empty environment takes from it: a limit
 * of resident memory that nothing else has. Takes Linux and prlimit.
 */
export function spawnMarked<Child>(spawn: () => Child): Marked<Child> {
  const [soft, hard] = readLimits('self') ?? [];
  const highest = hard === 'unlimited' ? 1n << 62n : BigInt(hard ?? 0);
  const mark = String(highest - BigInt(randomBytes(5).readUIntBE(0, 5)));
  if (soft === undefined || highest < least || !limitOurselves(mark))
    return { child: spawn(), mark: undefined };
  try {
    return { child: spawn(), mark };
  } finally {
    limitOurselves(soft);
  }
}

/** Ends the processes with a mark, and those that they were starting meanwhile. */
export function endMarked(mark: string | undefined): void {
  for (let round = 0, ended = 1; mark !== undefined && ended > 0 && round < mostRounds; round++) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readLimits(name)?.[0] === mark);
    ended = pids.filter((pid) => kill(Number(pid))).length;
  }
}

/** An ended process may stay in the table, and be found again. */
const mostRounds = 5;

/** Returns the soft and the hard limit of a process; undefined where they cannot be read. */
function readLimits(pid: string): readonly [soft: string, hard: string] | undefined {
  try {
    const [, soft = '', hard = ''] = limitLine.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return [soft, hard];
  } catch {
    return undefined;
  }
}

/** Sets the soft limit of this process, which its next children inherit. */
function limitOurselves(soft: string): boolean {
  return (
    spawnSync('prlimit', ['--pid', String(process.pid), `--rss=${soft}:`], { stdio: 'ignore' }).status === 0
  );
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
