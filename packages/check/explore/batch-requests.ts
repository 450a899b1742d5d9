import { isDeepStrictEqual } from 'node:util';
import { day, hour, intervalPhase } from '@candleproof/document/spec/interval';
import { requireOperation } from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { Spec } from '@candleproof/document/spec/spec';
import { plausibleSeconds } from '@candleproof/law/reading/tolerances';
import { type Manner, orderPath } from '../plan/manner.ts';
import type { BatchRequest, Portion, RequestBatch } from './batch.ts';
import { listMissedTexts } from './parameter-values.ts';
import { makeRefused, type RefusalScene, type RefusedRequest } from './refused.ts';
import { settledDay, type Times } from './times.ts';

/** Rows of one answer at most: far below what services refuse or cut off with good reason. */
const mostRows = 3000;

/** A request of a batch; the usual manner is meant if none is given. */
export type DrawnRequest = Partial<RefusedRequest> & { readonly path: string; readonly manner?: Manner };

/** Requests of a batch at most, as files of counterexamples have them. */
const mostRequests = 5;

/**
 * Lists the requests of a batch in the order of sending. Each one of a history occurs once; a latest candle is requested
 * again at the end, since only equal answers at both ends prove that those between are of one state of the market. What
 * is to be refused comes after them, and then the first of them as often as the batch says.
 */
export function listRequests(scene: RefusalScene, batch: RequestBatch): DrawnRequest[] {
  const { spec, times } = scene;
  const { role, asks, refused, again } = batch;
  const all = asks.map((ask): DrawnRequest => {
    const manner = ask.manner ?? batch.manner;
    return { path: orderPath(makePath(spec, batch, ask, times), manner), manner };
  });
  const isOnce = ({ path, manner }: DrawnRequest, at: number): boolean =>
    at === all.findIndex((other) => other.path === path && isDeepStrictEqual(other.manner, manner));
  const proper = role === 'history' ? all.filter(isOnce) : all;
  const [first] = proper;
  if (!first) return [];
  const tried = refused && makeRefused(refused, first.path, scene);
  const repeats = Math.max(again, role === 'latest' && proper.length > 1 ? 1 : 0);
  const after = [...(tried ? [tried] : []), ...new Array<DrawnRequest>(repeats).fill(first)];
  return [...proper.slice(0, mostRequests - after.length), ...after];
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
