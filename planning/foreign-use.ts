import { foreignUseEvents } from './ledger-entry.ts';
import { type Booked, type Ledger, requestsReserved } from './ledger-state.ts';

/** Longest ms until foreign use is reported, even with open reservations. */
const longestDoubt = 60_000;

/** Ms after which a monitor that books nothing is no longer waited for. */
const longestAbsence = 86_400_000;

/**
 * Reports what the counters moved beyond our requests. Waits while a reservation is open, whose unsent requests may make
 * it more, so that one use is one event; and for each other monitor to book, which may have sent without the ledger.
 */
export function reportForeign({ ledger, events }: Booked, at: number, now: number): Booked {
  const { ledger: noted, n } = takeForeign(ledger);
  if (n === 0) return { ledger: { ...noted, doubtedSince: undefined }, events };
  // A clock may have been set back.
  const since = Math.min(ledger.doubtedSince ?? now, now);
  const isOpen = requestsReserved(ledger) > 0 && now - since < longestDoubt;
  const isUnheard = Object.values(ledger.members).some(
    (heard) => heard < since && now - heard < longestAbsence,
  );
  if (isOpen || isUnheard) return { ledger: { ...ledger, doubtedSince: since }, events };
  return { ledger: { ...noted, doubtedSince: undefined }, events: [...events, ...foreignUseEvents(n, at)] };
}

/** Notes the counts beyond all our requests as foreign, after those that the counters had lost before. */
export function takeForeign(ledger: Ledger): { readonly ledger: Ledger; readonly n: number } {
  const { base, owed, charge } = ledger;
  if (!base) return { ledger, n: 0 };
  const ours = (base.possible + requestsReserved(ledger)) * charge;
  const beyond = Math.max(0, base.usage - base.begin - base.foreign - ours);
  const returned = Math.min(beyond, owed);
  const noted = { ...ledger, base: { ...base, foreign: base.foreign + beyond }, owed: owed - returned };
  return { ledger: noted, n: beyond - returned };
}
