import { readNamedFile } from '../../files/read-file.ts';
import { UsageError } from '../../files/usage-error.ts';
import { computeBill } from '../bill.ts';
import { outcomes, perSlice } from '../counters.ts';
import { bucketCount } from '../histogram.ts';
import type { LoadRun } from '../load-run.ts';

const mostBytes = 16 * 1024 * 1024;

/** A load.json of ours, named by a flag. Throws a UsageError. */
export function readLoadRun(file: string, flag: '--compare'): LoadRun {
  const [run, ...more] = findLoadRuns(readNamedFile(file, flag, mostBytes));
  if (run && more.length === 0) return run;
  throw new UsageError(`${flag}: ${file} is no load run of ours: give the load.json of a load run`);
}

/** The segments in a load.json, or in what k6 printed elsewhere. Throws a UsageError if there is none. */
export function readSegments(file: string, flag: '--merge'): LoadRun[] {
  const runs = findLoadRuns(readNamedFile(file, flag, mostBytes));
  if (runs.length > 0) return runs;
  throw new UsageError(
    `${flag}: ${file} is no load run of ours: give the load.json of a segment, or the whole log of its k6`,
  );
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
    parts.every((part) => isObject(part) && typeof part.startedAt === 'string') &&
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

const added = ['sent', 'answers', 'checked', 'dropped', 'judged', 'judgingUs', 'crashed', 'breached'];

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
        isObject(slice) && perSlice.every((name) => isCount(slice[name])) && isHistogram(slice.latency),
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
const mostCounted = 1e12;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= mostCounted;
}
