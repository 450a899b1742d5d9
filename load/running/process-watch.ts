import { readFileSync } from 'node:fs';

/** Shorter windows would show the sampling more than the process. */
const windowMs = 2000;
const sampleEveryMs = 250;

/** Ticks of a process's clock a second, on every Linux that there is. */
const ticks = 100;

type Sample = { readonly at: number; readonly seconds: number };

/** Watches what share of some cores a process takes, from `begin()` on. */
export class CpuUse {
  readonly #readSeconds: () => number | undefined;
  readonly #cores: number;
  readonly #timer: NodeJS.Timeout;
  #samples: Sample[] = [];
  #most: number | undefined;
  #first: number | undefined;
  #last: number | undefined;
  #isBegun = false;

  /** `readSeconds` returns the seconds of one core that the process has taken; undefined if unknown. */
  constructor(readSeconds: () => number | undefined, cores: number) {
    this.#readSeconds = readSeconds;
    this.#cores = cores;
    this.#timer = setInterval(() => this.#sample(), sampleEveryMs);
    this.#timer.unref();
  }

  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#sample();
  }

  /** The highest share of a window, as a fraction, and seconds of one core in all; absent if nothing was measured. */
  end(): { readonly most?: number; readonly seconds?: number } {
    clearInterval(this.#timer);
    return {
      most: this.#most,
      ...(this.#first !== undefined && this.#last !== undefined && { seconds: this.#last - this.#first }),
    };
  }

  #sample(): void {
    const seconds = this.#isBegun ? this.#readSeconds() : undefined;
    if (seconds === undefined) return;
    this.#first ??= seconds;
    this.#last = seconds;
    const at = performance.now();
    this.#samples.push({ at, seconds });
    const first = this.#samples.findLast((sample) => at - sample.at >= windowMs);
    if (!first) return;
    this.#samples = this.#samples.filter((sample) => sample.at >= first.at);
    const share = (1000 * (seconds - first.seconds)) / (at - first.at) / this.#cores;
    this.#most = Math.max(this.#most ?? 0, share);
  }
}

/** Returns the seconds of one core that a process has taken; undefined except on Linux. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  } catch {
    return undefined;
  }
}

/** MiB that k6 takes with its script, and with each of its virtual users: at least twice as measured. */
const ofScript = 512;
const ofUser = 16;

/** A target on the same machine fills a gigabyte in a second. */
const checkEveryMs = 100;

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
    }, checkEveryMs);
    this.#timer.unref();
  }

  /** MiB at which the process was ended; undefined if it was not. */
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
