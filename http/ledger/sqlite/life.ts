import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** Names a process until the machine restarts, and finds out whether a named process still runs. */
export type ProcessNames = {
  readonly self: string;
  /** Undefined for a process that is not visible from here, as in another container. */
  readonly isAlive: (name: string) => boolean | undefined;
};

/**
 * A process's name: the place within which process numbers are unique, its number, and its start, because numbers are
 * reused.
 */
type Name = { readonly place: string; readonly pid: number; readonly started: string };

/** Returns this process's name, and a check of others. */
export function lifeOfThisProcess(): ProcessNames {
  const { pid } = process;
  const self: Name = { place: placeOfProcesses(), pid, started: startOf(pid) ?? '' };
  return {
    self: JSON.stringify(self),
    isAlive: (name) => {
      const other: Name = JSON.parse(name);
      if (other.place !== self.place) return undefined;
      if (other.pid === pid) return other.started === self.started;
      return isRunning(other.pid) && startOf(other.pid) === other.started;
    },
  };
}

/** Returns the boot and the process namespace on Linux; elsewhere, one place for the whole machine. */
function placeOfProcesses(): string {
  if (process.platform !== 'linux') return process.platform;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'linux';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns a process's start; empty if this platform has no cheap way to read it, undefined if no such process runs. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Returns a process's start in clock ticks since the boot; undefined for a zombie. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name is in brackets and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]/.test(fields[0] ?? '') ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
