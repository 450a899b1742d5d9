import { thousands } from '../../contract/reading/thousands.ts';
import { UsageError } from '../../files/usage-error.ts';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import { plural } from '../../reports/words/tally.ts';
import { dropBefore, SimulatedStore } from '../../service/ingest/ingest.ts';
import type { Store } from '../../service/store/store.ts';

/** The first instant (Unix seconds) of a month that has begun, such as 2026-11. Throws a UsageError. */
export function readMonth(text: string, _before?: unknown, now = Date.now()): number {
  const begin = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
  if (begin <= now) return begin / 1000;
  const what = Number.isNaN(begin) ? 'no month' : 'to come';
  throw new UsageError(
    `--drop-before: ${text} is ${what}: give one such as ${new Date(now).toISOString().slice(0, 7)}`,
  );
}

/** Drops the observations of before an instant (Unix seconds), or tells what would go; in words. Throws a UsageError. */
export async function dropMonths(store: Store, instant: number, isTrial: boolean): Promise<string> {
  const { months, isDone } = await dropBefore(store, instant, isTrial).catch(explained);
  const sum = months.reduce((total, { samples }) => total + samples, 0);
  const rows = months.map(({ month, samples }) => `  ${month}  ${thousands(samples)}\n`).join('');
  const before = new Date(instant * 1000).toISOString().slice(0, 7);
  const words = isDone
    ? `${sum === 1 ? 'is' : 'are'} dropped, and none of before ${before} is taken in any more`
    : `would go, and none of before ${before} be taken in any more: add --yes`;
  return `${rows}${plural(sum, 'observation')} ${words}; candles stay\n`;
}

function explained(error: unknown): never {
  if (error instanceof SimulatedStore)
    throw new UsageError(
      'ingest: --drop-before: the store holds a simulated market, of which nothing is dropped',
    );
  if (error instanceof PostgresTrouble)
    throw new UsageError(`ingest: --drop-before: ${error.message}: try again when nobody reads for long`);
  throw error;
}
