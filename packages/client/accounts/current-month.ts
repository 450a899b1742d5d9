import { type Ledger, type LedgerChange, rollOverTolerance } from './ledger-state.ts';

/** Ms between two requests that check whether a month has ended. */
const scoutEvery = 3_600_000;

/**
 * Returns the counters of the month at `now` (Unix ms); undefined if there are none, or if their month is over. An answer
 * that came after the reset by our clock shows that the month goes on, or that its reset is wrong: it holds for an hour, so
 * that no command after the other spends a request on the question, or until the service's own clock reaches the reset.
 */
export function currentBase({ base, heard = base?.at }: Ledger, now: number): Ledger['base'] {
  if (!base || heard === undefined) return undefined;
  const over = base.reset + rollOverTolerance;
  if (now < over) return base;
  const isShownSince = heard >= over && Math.abs(now - heard) < scoutEvery;
  const hasEndedSince = base.at < over && base.at + now - heard >= over;
  return isShownSince && !hasEndedSince ? base : undefined;
}

/** Notes when an answer was heard that a change has brought. */
export function noteHeard({ ledger, events }: LedgerChange, heard: number): LedgerChange {
  return { ledger: { ...ledger, heard }, events };
}
