import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResultsReader, Span } from '../../results/results-store.ts';
import { exportCsv } from '../../results/transfer/export-csv.ts';
import { exportLines } from '../../results/transfer/export-lines.ts';
import { UsageError } from '../usage-error.ts';

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const writers = { ndjson: exportLines, csv: exportCsv } as const;

/** What a store holds of a span as text, into a file that appears whole or not at all, or to stdout (`-`). */
export async function exportResults(
  store: ResultsReader,
  { format, span, out }: { readonly format: ExportFormat; readonly span?: Span; readonly out: string },
): Promise<void> {
  const text = writers[format](store, span);
  if (out === '-') return printed(text);
  const temporary = join(dirname(out), `.${basename(out)}.${process.pid}.tmp`);
  try {
    await pipeline(Readable.from(text), createWriteStream(temporary, { flags: 'wx' }));
    renameSync(temporary, out);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !('syscall' in (error as object))) throw error;
    throw new UsageError(
      `--out: ${out || '(empty)'} cannot be written (${code ?? message}); give a file that can`,
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Whoever reads only the head of it has seen enough. */
async function printed(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
