import { type AlertState, compareSamples, type JudgedSample, type Slo, updateAlert } from '../burn-rate.ts';

/** No pair fires. */
export const quiet: AlertState = { firing: [] };

/** Returns the state at `now` (Unix ms) from the samples of at least the longest window. */
export function evaluate(
  samples: readonly JudgedSample[],
  slo: Slo,
  state: AlertState,
  now: number,
): AlertState {
  const past = samples.filter(({ at }) => at <= now).toSorted(compareSamples);
  const seen = {
    within(ms: number) {
      const recent = past.filter(({ at }) => at > now - ms);
      return { samples: recent.length, bad: recent.filter(({ good }) => !good).length };
    },
    newest: (n: number) => past.slice(-n),
  };
  return updateAlert(seen, slo, state, now);
}
