import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The soft and the hard value (bytes) in the line of /proc/PID/limits that carries a mark. Linux shows this limit of resident
 * memory and lets children inherit it, but has not enforced it since version 2.4.30, so that any value is harmless.
 */
const limitLine = /^Max resident set +(\S+) +(\S+) /m;

/** A hard limit (bytes) below this, a million GiB, leaves marks that other programs might have set as a real limit. */
const leastHard = 1n << 50n;

/** Stands for an unlimited hard limit (bytes): far above all memory, and within the 63 bits of a number that prlimit takes. */
const unlimited = 1n << 62n;

/** Random bytes of a mark: with 2^40 values two processes hardly share one, and it is at most a thousandth below `leastHard`. */
const markBytes = 5;

/** A started process, and the mark that it and all of its descendants carry; undefined where there can be none. */
export type Marked<Child> = { readonly child: Child; readonly mark: string | undefined };

/**
 * Starts a process by `spawn` with a mark that it and its descendants keep even if they start another session (setsid) or empty
 * their environment (env -i): a limit of resident memory that nothing else has, such as 4611685470313047219. It needs Linux and
 * the command prlimit.
 */
export function spawnMarked<Child>(spawn: () => Child): Marked<Child> {
  const [soft, hard] = readLimits('self') ?? [];
  const highest = hard === 'unlimited' ? unlimited : BigInt(hard ?? 0);
  const mark = String(highest - BigInt(randomBytes(markBytes).readUIntBE(0, markBytes)));
  if (soft === undefined || highest < leastHard || !limitOurselves(mark))
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

/**
 * Rounds of search: each finds processes that others started during the one before. They are bounded, since an ended process may
 * stay in the table, and would be found again forever.
 */
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
