/**
 * The ledger cannot be used: no right to write, no room, damaged, or of another layout. The message names its file or
 * its database. Anyone who may spend without a ledger goes on without.
 */
export class LedgerUnavailable extends Error {
  override readonly name: string = 'LedgerUnavailable';
}

/** The database of the ledger is no use to us just now, or not open to us. */
export class LedgerAway extends LedgerUnavailable {
  override readonly name = 'LedgerAway';
}

/** More was to be sent than had been reserved: the reserve holds because nothing leaves without. */
export class ReservationSpent extends Error {
  override readonly name = 'ReservationSpent';
}
