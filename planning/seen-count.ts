import { foreignUse, type LedgerEvent, overage, type SeenAnswer, usageOf } from './ledger-entry.ts';
import type { Base, Booked, Ledger } from './ledger-state.ts';

/** Many answers pass: what they show is reported together, so often, in ms. */
const reportEvery = 3_600_000;

/**
 * Books what an answer to somebody else shows of the base's own month: requests beyond all of ours are theirs. No answer
 * of ours shows them again. Less than is known already was overtaken, and says nothing.
 */
export function countSeen(ledger: Ledger, base: Base, entry: SeenAnswer): Booked {
  const { at, quota } = entry;
  const moved = usageOf(quota) - base.usage;
  const beyond = Math.max(0, moved - base.foreign - base.possible * ledger.charge);
  const foreign = Math.max(0, beyond - ledger.owed);
  const { unreported, events } = reported(ledger, foreign, at);
  const { unreported: _, ...rest } = ledger;
  return {
    ledger: {
      ...rest,
      base: { ...base, at: Math.max(base.at, at), foreign: base.foreign + beyond },
      owed: ledger.owed - (beyond - foreign),
      additional: Math.max(ledger.additional, quota.additional),
      ...(unreported && { unreported }),
    },
    events: [...events, ...(ledger.additional === 0 ? overage(0, entry) : [])],
  };
}

function reported(
  { unreported }: Ledger,
  n: number,
  at: number,
): { readonly unreported?: Ledger['unreported']; readonly events: LedgerEvent[] } {
  const { n: before = 0, since = at } = unreported ?? {};
  const all = before + n;
  if (all === 0) return { events: [] };
  if (at - since < reportEvery) return { unreported: { n: all, since }, events: [] };
  return { events: foreignUse(all, at) };
}
