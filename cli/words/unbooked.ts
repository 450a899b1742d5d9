import { LedgerAway, type LedgerUnavailable } from '../../http/ledger/ledger-unavailable.ts';

/** Warns that a run goes on although its requests cannot be booked. */
export function warnUnbooked(error: LedgerUnavailable): void {
  const mend = error instanceof LedgerAway ? '' : ' (CANDLEPROOF_STATE_DIR names another folder)';
  process.stderr.write(`candleproof: ${error.message}; the run goes on without a ledger${mend}\n`);
}
