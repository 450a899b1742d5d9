import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nameFlag } from '../../files/named-output.ts';
import { writeParts } from '../../files/write-files.ts';
import type { ResultsReader, Span } from '../../results/results-store.ts';
import { exportCsv } from '../../results/transfer/export-csv.ts';
import { exportLines } from '../../results/transfer/export-lines.ts';

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const writers = { ndjson: exportLines, csv: exportCsv } as const;

/** Writes a span of a store as text into a file that appears whole or not at all, or to stdout (`-`). */
export async function exportResults(
  store: ResultsReader,
  { format, span, out }: { readonly format: ExportFormat; readonly span?: Span; readonly out: string },
): Promise<void> {
  const text = writers[format](store, span);
  if (out === '-') return printed(text);
  await writeParts(out, text).catch((error) => {
    throw nameFlag('--out', error);
  });
}

/** Anyone who reads only the head of it has seen enough. */
async function printed(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
