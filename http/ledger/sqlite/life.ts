import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** Names a process for as long as the machine is up, and tells whether another one named so still runs. */
export type ProcessNames = {
  readonly self: string;
  /** Undefined where it cannot be seen from here, as in another container. */
  readonly isAlive: (name: string) => boolean | undefined;
};

/**
 * Names a process: the place whose process numbers are comparable, its number, and its start, since numbers are
 * reused.
 */
type Name = { readonly place: string; readonly pid: number; readonly started: string };

/** Returns the names that distinguish this process from others. */
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

/** One boot and one name space of processes; elsewhere than on Linux there is one for the machine. */
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
    // Somebody else's process runs all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Empty where this platform does not tell it cheaply; undefined where no such process runs. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** In clock ticks since the boot. A process that has ended and was not yet waited for is none. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]/.test(fields[0] ?? '') ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
