import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../slots/clock.ts';

/** Looks at ourselves before a target is blamed. */
export type SelfCheck = {
  /** Starts to watch; the result tells why what happened since may be our own doing, undefined where nothing speaks for it. */
  begin(): (isUnconnected: boolean) => Promise<string | undefined>;
  /** The longest that the event loop stood still since this was last read, in ms. */
  takeStall(): number;
  close(): void;
};

export type SelfCheckOptions = {
  readonly clock: Clock;
  /** host:port that answers whenever our own network does. */
  readonly control?: string;
  /** Longest that the event loop may stand still, in ms. */
  readonly mostStall?: number;
};

const sampleEvery = 50;
const usualMostStall = 250;
/** A wall clock that was set by more than this, in ms, says nothing of when something happened. */
const mostStep = 1000;
const controlPatience = 3000;

export function openSelfCheck({ clock, control, mostStall = usualMostStall }: SelfCheckOptions): SelfCheck {
  const stalls = watchStalls();
  return {
    begin() {
      const [wall, steady, begun] = [clock.now(), clock.steady(), performance.now()];
      return async (isUnconnected) => {
        const stall = stalls.longestSince(begun);
        if (stall > mostStall) return `the monitor itself stood still for ${Math.round(stall)} ms`;
        const step = clock.now() - wall - (clock.steady() - steady);
        if (Math.abs(step) > mostStep) return `the monitor's clock was set by ${Math.round(step)} ms`;
        if (!isUnconnected || control === undefined || (await isReachable(control))) return undefined;
        return `the monitor reaches ${control} as little as the target`;
      };
    },
    takeStall: () => stalls.take(),
    close: () => stalls.close(),
  };
}

type Stalls = { longestSince(instant: number): number; take(): number; close(): void };

/** A timer that comes late tells for how long nothing else could run. */
function watchStalls(): Stalls {
  let last = performance.now();
  let recent: { readonly at: number; readonly ms: number }[] = [];
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = Math.max(0, now - last - sampleEvery);
    last = now;
    longest = Math.max(longest, ms);
    recent = recent.filter(({ at }) => now - at < 120_000);
    if (ms > sampleEvery) recent.push({ at: now, ms });
  }, sampleEvery);
  timer.unref();
  return {
    longestSince: (instant) =>
      Math.max(
        performance.now() - last - sampleEvery,
        0,
        ...recent.filter(({ at }) => at >= instant).map(({ ms }) => ms),
      ),
    take() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    close: () => clearInterval(timer),
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
