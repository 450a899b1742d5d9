import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import { computeBill } from '../bill.ts';
import { outcomes, perSlice, totals } from '../counters.ts';
import { bucketCount } from '../histogram.ts';
import type { LoadMessage, LoadRun } from '../load-run.ts';

const mostBytes = 16 * 1024 * 1024;

/** A log of k6 holds the answers that were sampled. */
const mostLogBytes = 256 * 1024 * 1024;

/** A load.json of ours, named by a flag. Throws a UsageError. */
export function readLoadRun(file: string, flag: '--compare'): LoadRun {
  const [run, ...more] = findLoadRuns(readNamedFile(file, flag, mostBytes));
  if (run && more.length === 0) return run;
  throw new UsageError(`${flag}: ${file} is no load run of ours: give the load.json of a load run`);
}

/** The segments in a load.json, or in what k6 printed elsewhere, with its messages. Throws a UsageError without one. */
export function readSegments(file: string, flag: '--merge'): { runs: LoadRun[]; messages: LoadMessage[] } {
  const text = readNamedFile(file, flag, mostLogBytes);
  const runs = findLoadRuns(text);
  if (runs.length > 0) {
    const messages = text.split('\n').flatMap((line) => readLogLine(line).message ?? []);
    return { runs, messages };
  }
  throw new UsageError(
    `${flag}: ${file} is no load run of ours: give the load.json of a segment, or the whole log of its k6`,
  );
}

/** Reads a line of k6's log, which has the script's messages and its own complaints as JSON. */
export function readLogLine(line: string): { message?: LoadMessage; complaint: string } {
  try {
    const { msg, source } = JSON.parse(line) as { msg?: string; source?: string };
    if (source !== 'console') return { complaint: msg ?? line };
    return { message: JSON.parse(msg ?? '') as LoadMessage, complaint: '' };
  } catch {
    return { complaint: line };
  }
}

/** A text that is a load run, or else all of its lines that are. */
export function findLoadRuns(text: string): LoadRun[] {
  const whole = parseLoadRun(text);
  return whole ? [whole] : text.split('\n').flatMap((line) => parseLoadRun(line) ?? []);
}

function parseLoadRun(text: string): LoadRun | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return isLoadRun(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever merges, compares or shows a run reads these. Throws for stages that are none. */
function isLoadRun(value: unknown): value is LoadRun {
  if (!isObject(value)) return false;
  const { format, trial, parts, figures, verdict, reasons } = value;
  const verdicts: unknown[] = ['conformant', 'nonconformant', 'inconclusive'];
  return (
    format === 1 &&
    isTrial(trial) &&
    Array.isArray(parts) &&
    parts.every((part) => isObject(part) && isTexts([part.startedAt, part.engine])) &&
    isFigures(figures) &&
    verdicts.includes(verdict) &&
    isTexts(reasons)
  );
}

function isTrial(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { load, target, mix, scenario, command, bill } = value as Partial<LoadRun['trial']>;
  return (
    load !== undefined &&
    computeBill(load) > 0 &&
    isTexts([scenario, command, target?.name, target?.baseUrl]) &&
    Array.isArray(mix) &&
    isCount(bill)
  );
}

const added = [...totals, 'dropped', 'judged', 'judgingUs', 'crashed', 'breached'];
const addedPerSlice = [...perSlice, 'judged', 'breached'];

function isFigures(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { outcomes: ends, rules, latency, slices } = value;
  return (
    added.every((name) => isCount(value[name])) &&
    isObject(ends) &&
    outcomes.every((outcome) => isCount(ends[outcome])) &&
    isCounts(rules) &&
    isHistogram(latency) &&
    Array.isArray(slices) &&
    slices.every(
      (slice) =>
        isObject(slice) && addedPerSlice.every((name) => isCount(slice[name])) && isHistogram(slice.latency),
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isCounts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isCount);
}

function isHistogram(value: unknown): boolean {
  return isCounts(value) && Object.keys(value ?? {}).every((bucket) => Number(bucket) < bucketCount);
}

/** Beyond the longest load there is no count. */
const maxCounted = 1e12;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxCounted;
}
