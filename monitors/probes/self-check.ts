import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Clock } from './clock.ts';

/** The time (ms) that is blamed on a target, and the longest that would not be. */
export type BlamedTime = { readonly measured: number; readonly allowed: number };

/** Names the reasons to blame a target: that it was not reached, and how long it took if that is one. */
type Blame = { readonly isUnconnected: boolean; readonly time?: BlamedTime | undefined };

/** Returns why a failure since the begin of a probe run may be our fault; undefined without a reason. */
export type Doubts = (blame: Blame) => Promise<string | undefined>;

/** Looks at ourselves before a target is blamed. */
export type SelfCheck = {
  /** Watches this host during a probe run only, so that an idle monitor can sleep. */
  watch<T>(run: (doubts: Doubts) => Promise<T>): Promise<T>;
  /** The longest that the event loop stood still during a probe run since this was last read, in ms. */
  takeStall(): number;
};

export type SelfCheckOptions = {
  readonly clock: Clock;
  /** host:port that answers whenever our network does. */
  readonly control?: string;
};

const sampleEvery = 50;
/** Adjustments of the wall clock (ms) beyond which its times are not used. */
const mostStep = 1000;
const controlPatience = 3000;

/** Opens the check of the monitor's host: stalls of the process, and a control address if there is one. */
export function openSelfCheck({ clock, control }: SelfCheckOptions): SelfCheck {
  const stalls = watchStalls();
  return {
    watch(run) {
      const [wall, steady, begun] = [clock.now(), clock.steady(), performance.now()];
      stalls.begin();
      return run(async ({ isUnconnected, time }) => {
        const stalled = time ? stalls.mostWithin(time.measured, begun) : 0;
        if (time && time.measured - stalled <= time.allowed)
          return `the monitor itself stood still for ${Math.round(stalled)} ms`;
        const step = clock.now() - wall - (clock.steady() - steady);
        if (Math.abs(step) > mostStep) return `the monitor's clock was set by ${Math.round(step)} ms`;
        if (!isUnconnected || control === undefined || (await isReachable(control))) return undefined;
        return `the monitor reaches ${control} as little as the target`;
      }).finally(() => stalls.end());
    },
    takeStall: () => stalls.take(),
  };
}

type Stalls = {
  begin(): void;
  end(): void;
  /** Returns the most that the stalls since an instant add up to in a time of some ms. */
  mostWithin(ms: number, since: number): number;
  take(): number;
};

/** Measures stalls of the event loop by the lateness of a timer, while a probe runs. */
function watchStalls(): Stalls {
  let watching = 0;
  let timer: NodeJS.Timeout | undefined;
  let last = 0;
  let recent: { readonly at: number; readonly ms: number }[] = [];
  let longest = 0;
  const sample = (): void => {
    const now = performance.now();
    const ms = Math.max(0, now - last - sampleEvery);
    last = now;
    longest = Math.max(longest, ms);
    if (ms > sampleEvery) recent = [...recent.filter(({ at }) => now - at < 120_000), { at: now, ms }];
  };
  return {
    begin() {
      watching += 1;
      if (watching > 1) return;
      last = performance.now();
      timer = setInterval(sample, sampleEvery).unref();
    },
    end() {
      watching -= 1;
      if (watching === 0) clearInterval(timer);
    },
    mostWithin(length, since) {
      const now = performance.now();
      // The timer of a stall that is just over may not have fired yet.
      const all = [...recent.filter(({ at }) => at >= since), { at: now, ms: now - last - sampleEvery }];
      const sums = all.map(({ at: end }) =>
        all
          .filter(({ at }) => at <= end && at > end - length)
          .reduce((sum, { ms }) => sum + Math.max(0, ms), 0),
      );
      return Math.max(...sums);
    },
    take() {
      const taken = longest;
      longest = 0;
      return taken;
    },
  };
}

function isReachable(control: string): Promise<boolean> {
  const colon = control.lastIndexOf(':');
  const [host, port] = [control.slice(0, colon).replace(/^\[|\]$/g, ''), Number(control.slice(colon + 1))];
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: controlPatience });
    const end = (isThere: boolean) => (): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
