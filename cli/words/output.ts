import { LedgerAway, type LedgerUnavailable } from '../../http/ledger/ledger-unavailable.ts';
import { foldText } from '../../reports/words/terminal-text.ts';

/** Returns a line of progress that is written over itself on a terminal; in a pipe there is none. */
export function progressLine(stream: NodeJS.WriteStream): { show(text: string): void; clear(): void } {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => stream.write(`\r\x1b[2K${text} …`),
    clear: () => stream.write('\r\x1b[2K'),
  };
}

/** Prints text for people: on a terminal folded to its columns, in a pipe as it is. */
export function say(text: string): void {
  process.stdout.write(foldText(text, process.stdout.columns || Infinity));
}

/** Warns that a run goes on although its requests cannot be booked. */
export function warnUnbooked(error: LedgerUnavailable): void {
  const mend = error instanceof LedgerAway ? '' : ' (CANDLEPROOF_STATE_DIR names another folder)';
  process.stderr.write(`candleproof: ${error.message}; the run goes on without a ledger${mend}\n`);
}
