import type { LoadRun } from '../../load/load-run.ts';
import { readNamedFile } from '../read-file.ts';
import { UsageError } from '../usage-error.ts';

const mostBytes = 16 * 1024 * 1024;

/** A load.json of ours. */
export function readLoadRun(file: string): LoadRun {
  const text = readNamedFile(file, '--merge', mostBytes);
  try {
    const read: unknown = JSON.parse(text);
    if (isLoadRun(read)) return read;
  } catch {
    // Said below.
  }
  throw new UsageError(`--merge: ${file} is no load run of ours: give the load.json of a segment`);
}

function isLoadRun(value: unknown): value is LoadRun {
  const { format, trial, parts, figures } = (value ?? {}) as { [name in keyof LoadRun]?: unknown };
  return format === 1 && isObject(trial) && Array.isArray(parts) && isObject(figures);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
