/**
 * The ledger's file cannot be used: no right to write, no room, damaged, or of another layout. The message names the
 * file. Anyone who may spend without a ledger goes on without.
 */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable';
}

/** More was to be sent than had been reserved: the reserve holds because nothing leaves without. */
export class ReservationSpent extends Error {
  override readonly name = 'ReservationSpent';
}
