import { findOffset, readZone } from '@candleproof/document/spec/times';
import type { ApiDraft, TriedInterval } from './draft.ts';
import type { DraftRow } from './draft-answer.ts';
import type { DraftSchema } from './draft-envelope.ts';
import { settleGaps } from './draft-gaps.ts';
import { readGivenTime } from './parameter-names.ts';
import type { DraftParameter } from './request-times.ts';
import { areStampedAtEnd, edgeProbeSteps, findDayZone, haveInterval, shortestStep } from './row-evidence.ts';

/** The question of a draft that knows one interval. */
export const oneInterval =
  "x-seconds: one interval is known; with further ones of the vendor's page, candles are compared with those in them";

/** Returns a draft with an interval whose rows came, and what they show; the draft itself if they are of another. */
export function settleInterval(draft: ApiDraft, tried: TriedInterval, rows: readonly DraftRow[]): ApiDraft {
  const { name, isLong } = tried;
  const seconds = Number.isNaN(tried.seconds) ? shortestStep(rows) : tried.seconds;
  // A server that does not know the interval may answer with the one that it knows.
  if (isLong && haveInterval(rows, draft.step)) return settleMaxRows(draft, rows);
  if (!haveInterval(rows, seconds) || seconds === draft.step) return draft;
  const interval = { ...tried, seconds };
  const most = isLong ? findCut(rows.length) : undefined;
  const zone = seconds === 86_400 ? findDayZone(rows) : undefined;
  const [finer, coarser] = seconds < draft.step ? [rows, draft.rows] : [draft.rows, rows];
  const isStampedAtEnd = areStampedAtEnd(finer, coarser, Math.max(seconds, draft.step));
  const settled = settleGaps(draft, rows, seconds, name);
  return {
    ...settled,
    parameters: draft.parameters.map((each) =>
      each.role === 'interval' ? addInterval(each, interval) : each,
    ),
    ...(most !== undefined ? { maxRows: most } : addMost(draft, name, rows.length)),
    schema: retagStart(draft.schema, {
      ...(isStampedAtEnd && { 'x-role': 'end' }),
      ...(zone !== undefined && { 'x-zone': zone }),
    }),
    questions: settled.questions.filter((question) => question !== oneInterval),
    guesses: [
      ...settled.guesses,
      `${name}: an interval of ${seconds} s, since its rows have this step`,
      ...(most === undefined ? [] : [`x-max-rows ${most}: as many rows of a longer range came`]),
      ...(zone === undefined ? [] : [`x-zone ${zone}: days begin at its midnight`]),
      ...(isStampedAtEnd ? ['x-role end: longer rows hold the shorter ones before their time'] : []),
    ],
  };
}

/** Returns a draft with the most rows of an answer, if those of a long range look like a limit. */
export function settleMaxRows(draft: ApiDraft, rows: readonly DraftRow[]): ApiDraft {
  if (draft.parameters.some(({ role }) => role === 'limit')) return raiseLimit(draft, rows.length);
  const most = findCut(rows.length);
  if (most === undefined) return draft;
  const guess = `x-max-rows ${most}: as many rows of a longer range came`;
  return { ...draft, maxRows: most, guesses: [...draft.guesses, guess] };
}

/** Raises the maximum of a limit to the rows that came for a larger one; a refusal has none. */
function raiseLimit(draft: ApiDraft, rows: number): ApiDraft {
  const limit = draft.parameters.find(({ role }) => role === 'limit');
  if (limit === undefined || rows <= Number(limit.schema.maximum)) return draft;
  const raised = { ...limit, schema: { ...limit.schema, maximum: rows } };
  return {
    ...draft,
    parameters: draft.parameters.map((each) => (each === limit ? raised : each)),
    guesses: [...draft.guesses, `maximum ${rows} of ${limit.name}: as many rows came for a larger one`],
  };
}

/** Returns a draft whose most rows of an answer are at least as many as came. */
export function raiseMaxRows(draft: ApiDraft, rows: number): ApiDraft {
  const { maxRows, guesses } = draft;
  if (typeof maxRows !== 'number' || rows <= maxRows) return draft;
  const others = guesses.filter((guess) => !guess.startsWith('x-max-rows '));
  return { ...draft, maxRows: rows, guesses: [...others, `x-max-rows ${rows}: as many rows came`] };
}

/** Adds the most rows of an interval to a draft whose answers hold the newest rows alone. */
function addMost({ maxRows, parameters }: ApiDraft, name: string, rows: number): Pick<ApiDraft, 'maxRows'> {
  if (maxRows === undefined || parameters.some(isTime)) return {};
  const first = parameters.find(({ role }) => role === 'interval')?.value ?? '';
  return { maxRows: { ...(typeof maxRows === 'number' ? { [first]: maxRows } : maxRows), [name]: rows } };
}

function addInterval(parameter: DraftParameter, { name, seconds }: TriedInterval): DraftParameter {
  const tags = { 'x-seconds': { ...(parameter.tags['x-seconds'] as object), [name]: seconds } };
  return {
    ...parameter,
    tags,
    schema: { ...parameter.schema, enum: [...(parameter.schema.enum as string[]), name] },
  };
}

/** Changes the extensions of the start in a schema. */
export function retagStart<T>(schema: T, tags: DraftSchema): T {
  if (Object.keys(tags).length === 0) return schema;
  if (Array.isArray(schema)) return schema.map((each) => retagStart(each, tags)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner: DraftSchema = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, retagStart(value, tags)]),
  );
  return (inner['x-role'] === 'start' ? { ...inner, ...tags } : inner) as T;
}

/** Returns a draft with the edges that a range from its first row to a later one shows. */
export function settleEdges(draft: ApiDraft, rows: readonly DraftRow[]): ApiDraft {
  if (rows.length === 0) return draft;
  const shown = { from: draft.rows[0]?.start, to: draft.rows[edgeProbeSteps]?.start };
  return markEdges(draft, (parameter) => {
    // The day that a range ends with may belong to it as a whole.
    if (isDayAlone(parameter)) return undefined;
    const edge = parameter.role === 'to' ? shown.to : shown.from;
    return rows.some(({ start }) => start === edge) ? 'inclusive' : 'exclusive';
  });
}

function isDayAlone({ value }: DraftParameter): boolean {
  return /^\d{4}-\d\d-\d\d$|^\d{8}$/.test(value);
}

/** Returns whether the first answer has a row at each edge of its range, so that both are inclusive. */
export function showsEdges(draft: ApiDraft): boolean {
  return draft.parameters.every(
    (parameter) => !isTime(parameter) || isDayAlone(parameter) || parameter.tags['x-edge'] !== undefined,
  );
}

/** Marks the edges at which the first answer has a row. */
export function markShownEdges(draft: ApiDraft): ApiDraft {
  const starts = new Set(draft.rows.map(({ start }) => start));
  return markEdges(draft, (parameter) => {
    const { value, tags } = parameter;
    const local = readGivenTime(value) ?? Number.NaN;
    const zone = readZone(String(tags['x-zone'] ?? 'UTC')) ?? [];
    const isShown = starts.has(local - findOffset(zone, local));
    return isShown && !isDayAlone(parameter) ? 'inclusive' : undefined;
  });
}

function isTime({ role }: DraftParameter): boolean {
  return role === 'from' || role === 'since' || role === 'to';
}

function markEdges(
  draft: ApiDraft,
  choose: (parameter: DraftParameter) => 'inclusive' | 'exclusive' | undefined,
): ApiDraft {
  const guesses: string[] = [];
  const parameters = draft.parameters.map((parameter) => {
    const edge = isTime(parameter) && parameter.tags['x-edge'] === undefined ? choose(parameter) : undefined;
    if (edge === undefined) return parameter;
    const came = edge === 'inclusive' ? 'came' : 'did not come';
    guesses.push(`x-edge ${edge} at ${parameter.name}: the row that starts there ${came}`);
    return { ...parameter, tags: { ...parameter.tags, 'x-edge': edge } };
  });
  return { ...draft, parameters, guesses: [...draft.guesses, ...guesses] };
}

/** Returns the number of rows if it looks like a limit rather than the beginning of a market. */
function findCut(rows: number): number | undefined {
  const isRound = rows % 50 === 0 || Number.isInteger(Math.log2(rows)) || rows % 100 === 1 || rows === 720;
  return rows > 0 && isRound ? rows : undefined;
}
