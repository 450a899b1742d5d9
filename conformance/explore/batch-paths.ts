import { day, hour, intervalPhase } from '../../contract/document/interval.ts';
import { requireOperation } from '../../contract/document/operation.ts';
import { buildPath } from '../../contract/document/request-path.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { plausibleSeconds } from '../../contract/reading/tolerances.ts';
import { spellPath } from '../plan/manner.ts';
import type { BatchRequest, Portion, RequestBatch } from './batch.ts';
import { listMissedTexts } from './parameter-values.ts';
import { settledDay, type Times } from './times.ts';

/** Rows of one answer at most: far below what services refuse or cut off with good reason. */
const mostRows = 3000;

/**
 * Lists the paths and queries of a batch in the order of sending. Each one of a history occurs once; a latest candle is
 * requested again at the end, since only equal answers at both ends prove that those between are of one state of the
 * market.
 */
export function listPaths(spec: Spec, batch: RequestBatch, times: Times): string[] {
  const operation = requireOperation(spec, batch.role);
  const paths = batch.asks.map((ask) => {
    const path = makePath(spec, batch, ask, times);
    return ask.isReversed ? spellPath(path, operation, { order: 'reversed' }) : path;
  });
  if (batch.role === 'history') return [...new Set(paths)];
  return paths.length > 1 ? [...paths, ...paths.slice(0, 1)] : paths;
}

function makePath(spec: Spec, { role, pool, frame }: RequestBatch, ask: BatchRequest, times: Times): string {
  const interval = ask.interval ?? frame.interval;
  const values: Record<string, unknown> = { pool, interval, inverted: ask.inverted };
  if (role === 'history') {
    const length = rangeSeconds(spec, interval);
    const { from, to } = makeRange(frame, rangeSeconds(spec, frame.interval), ask.portion, times);
    const most = Math.min(mostRows, requireOperation(spec, role).maxRows ?? mostRows);
    values.from = Math.max(from, to - most * length, plausibleSeconds.from);
    values.to = to;
    values.limit = Math.min(most, Math.ceil((to - Number(values.from)) / length) + 1);
  }
  return ask.miss ? withMiss(spec, role, ask.miss, values) : buildPath(requireOperation(spec, role), values);
}

/** Seconds of an interval of the document. */
function rangeSeconds({ intervals }: Spec, name: string): number {
  return intervals.find((interval) => interval.name === name)?.seconds ?? hour;
}

/** Unix seconds; `length` is that of the frame's interval. Parts overlap in the middle, and what is wider begins and ends two intervals further out. */
function makeRange(
  frame: RequestBatch['frame'],
  length: number,
  portion: Portion,
  times: Times,
): { from: number; to: number } {
  const { before, after, fromLate, toLate } = frame;
  const rows = before + after;
  const end = rangeEnd(frame, length, times);
  const middle = end - Math.floor(rows / 2) * length;
  const from = end - rows * length + (fromLate % length);
  const to = Math.max(from, end + (toLate % length));
  const ranges: Readonly<Record<Portion, { from: number; to: number }>> = {
    whole: { from, to },
    'first part': { from, to: Math.max(from, middle + length) },
    'last part': { from: Math.max(from, middle - length), to },
    wider: { from: from - 2 * length, to: to + 2 * length },
    instant: { from, to: from },
    'to the present': { from, to: Math.max(from, times.now + 60) },
  };
  return ranges[portion];
}

/** On a boundary of the interval, and not after the newest settled day. */
function rangeEnd({ place, hoursBack, after }: RequestBatch['frame'], length: number, times: Times): number {
  const phase = length > day ? times.phase : 0;
  const roundToBoundary = (instant: number): number => instant - intervalPhase(instant - phase, length);
  const end = roundToBoundary(place) + after * length - hoursBack * hour;
  return Math.min(end, settledDay(times));
}

/** Replaces the value of a parameter by a near miss, or adds the near miss if the parameter is absent. */
function withMiss(
  spec: Spec,
  role: RequestBatch['role'],
  miss: NonNullable<BatchRequest['miss']>,
  values: Readonly<Record<string, unknown>>,
): string {
  const operation = requireOperation(spec, role);
  const { parameter: name } = miss;
  const parameter = operation.parameters.find((parameter) => parameter.name === name);
  const key = parameter?.role ?? '';
  const texts = listMissedTexts(spec, role, miss, String(values[key] ?? true));
  if (parameter?.in === 'path') return buildPath(operation, { ...values, [key]: texts[0] });
  const { [key]: _, ...others } = values;
  const path = buildPath(operation, others);
  const added = texts.map((text) => `${name}=${encodeURIComponent(text)}`);
  return added.length > 0 ? `${path}&${added.join('&')}` : path;
}
