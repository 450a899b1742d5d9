import { readFileSync } from 'node:fs';

/** MiB that k6 takes with its script, and with each of its virtual users and what is judged there: about twice as measured. */
const ofScript = 512;
const ofUser = 16;

/** A target on the same machine fills a gigabyte in a second. */
const everyMs = 100;

/**
 * Ends a process that takes more memory than a load needs: k6 reads answers of any length, and unpacks what a target has
 * compressed. Watches on Linux alone.
 */
export class MemoryBound {
  readonly #timer: NodeJS.Timeout;
  #exceeded: number | undefined;

  constructor(pid: number, users: number, kill: () => void) {
    const most = ofScript + users * ofUser;
    this.#timer = setInterval(() => {
      const taken = residentMebibytes(pid);
      if (taken === undefined || taken <= most) return;
      this.#exceeded = taken;
      this.stop();
      kill();
    }, everyMs);
    this.#timer.unref();
  }

  /** MiB at which the process was ended; undefined where it was not. */
  get exceeded(): number | undefined {
    return this.#exceeded;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function residentMebibytes(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1024);
  } catch {
    return undefined;
  }
}
