import { PostgresAddress } from '../../postgres/address.ts';
import { PostgresTrouble } from '../../postgres/trouble.ts';

export const ledgerVariable = 'CANDLEPROOF_LEDGER_URL';

/** Where a config says that the ledger of its keys is, and the file that says so. */
export type ConfiguredLedger = { readonly text: string; readonly config: string };

/** What is wrong with the ledger of a config, without repeating it; a file that it names is not looked into. */
export function ledgerMistake(text: string): string | undefined {
  // No file's name looks like this, and a password may stand in any URL.
  if (!text.includes('://')) return undefined;
  try {
    if (!new PostgresAddress(text).holdsPassword) return undefined;
    return `a password never stands in a config: put the URL into a file and name the file, or set ${ledgerVariable} or PGPASSWORD`;
  } catch (error) {
    if (error instanceof PostgresTrouble) return `${error.message}; give one`;
    throw error;
  }
}
