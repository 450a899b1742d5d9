import { findLayout } from '@candleproof/document/layout/find-layout';
import { joinBody } from './body-values.ts';
import type { ApiDraft } from './draft.ts';
import { type DraftAnswer, draftAnswer } from './draft-answer.ts';
import { nameMarkets } from './draft-envelope.ts';
import { openGaps, settleGaps } from './draft-gaps.ts';
import { draftRequest } from './draft-parameters.ts';
import { findLocalOffset, findLocalTimes, type LocalTimes, nameShift } from './local-times.ts';
import { readGivenTime } from './parameter-names.ts';
import type { DraftParameter } from './request-times.ts';
import { markShownEdges, oneInterval, retagStart } from './settle-rows.ts';
import { documentUnit, readShownOffset } from './written-units.ts';

/** Facts beside an answer: the seconds between its rows, and the parts of its request that its URL does not show. */
export type RowFacts = Pick<ApiDraft, 'key' | 'headers'> & {
  readonly step: number;
  /** The server's time in Unix seconds, if it is known. */
  readonly now?: number;
  /** The market in the URL, if it was named. */
  readonly pool?: string | undefined;
  /** The JSON body of a POST. */
  readonly body?: unknown;
};

/** Drafts the document of an answer to a URL; undefined for an answer whose rows cannot be found. */
export function draftApi(address: URL, body: unknown, facts: RowFacts): ApiDraft | undefined {
  const { step, key, headers, now, pool: given, body: sent } = facts;
  const url = joinBody(address, sent);
  const layout = findLayout(body);
  const first = layout && draftAnswer(body, layout, undefined);
  if (!layout || !first) return undefined;
  const local = readLocalTimes(url, body, first, facts);
  const ahead = local ? findLocalOffset(local, first.rows.at(-1)?.start ?? 0) : 0;
  const isLocal = isWithoutOffset(first.times.texts[0] ?? '');
  const shift = isLocal ? ahead : 0;
  const starts = first.rows.map(({ start }) => start - shift);
  const request = {
    ...{ step, starts, names: nameMarkets(body), ahead, body: sent },
    ...(given !== undefined && { pool: given }),
  };
  const { path, parameters } = draftRequest(url, { ...request, ...(local && { zone: local.zone }) });
  const pool = parameters.find(({ role }) => role === 'pool')?.value;
  const answer = draftAnswer(body, layout, pool) ?? first;
  const rows = answer.rows.map((row) => ({ ...row, start: row.start - shift }));
  const has = (role: string): boolean => parameters.some((parameter) => parameter.role === role);
  const needsMost = !has('since') && (!has('to') || (!has('from') && !has('limit')));
  const isStampedAtEnd = now !== undefined && (starts.at(-1) ?? 0) > now;
  const zone = isLocal && local && local.zone !== 'UTC' ? { 'x-zone': local.zone } : {};
  const draft: ApiDraft = {
    ...{ url, path, parameters, layout, step, gaps: openGaps.gaps, rows, ahead: shift },
    schema: retagStart(answer.schema, { ...zone, ...(isStampedAtEnd && { 'x-role': 'end' }) }),
    ...(needsMost && { maxRows: rows.length }),
    ...(key && { key }),
    ...(headers && { headers }),
    ...(sent !== undefined && { body: sent }),
    ...(now !== undefined && { now }),
    ...(pool !== undefined && { pool }),
    guesses: [
      ...parameters.flatMap(({ name, guess }) => (guess === undefined ? [] : [`${name}: ${guess}`])),
      ...openGaps.guesses,
      ...(local?.evidence === undefined ? [] : [`x-zone ${local.zone}: ${local.evidence}`]),
      ...(needsMost ? [`x-max-rows ${rows.length}: as many rows came`] : []),
      ...(isStampedAtEnd ? ['x-role end: the newest row is later than the answer'] : []),
    ],
    questions: [...(has('interval') ? [oneInterval] : []), ...openGaps.questions, ...listQuestions(answer)],
    missing: [
      ...(has('pool') ? [] : [describeOpenPool(url)]),
      ...(has('interval') ? [] : [describeOpenInterval(step)]),
      ...(Number.isFinite(step) ? [] : ['x-seconds: the rows have no even step; look at a URL of more rows']),
      ...(local?.question === undefined ? [] : [local.question]),
      ...listFixedTimes(parameters, starts, step),
      ...answer.remarks,
    ],
  };
  return markShownEdges(settleGaps(draft, rows, step, 'this answer'));
}

/** Reads the zone of text without an offset in rows and URL; undefined if there is none. */
function readLocalTimes(
  url: URL,
  body: unknown,
  { times, rows, ahead }: DraftAnswer,
  { step, now }: RowFacts,
): LocalTimes | undefined {
  const given = [...url.searchParams.values(), ...url.pathname.split('/')].filter(
    (value) => readGivenTime(value) !== undefined,
  );
  const counted = given.filter((value) => /^\d+$/.test(value)).map((value) => readGivenTime(value) ?? 0);
  if (![times.texts[0] ?? '', ...given].some(isWithoutOffset)) return undefined;
  const starts = rows.map(({ start }) => start);
  const [text = ''] = times.texts;
  if (!isWithoutOffset(text) && readShownOffset(text) === undefined)
    return ahead === undefined
      ? readCountedRows(given.filter(isWithoutOffset), starts, step)
      : nameShift(ahead, starts);
  return findLocalTimes({ url, body, ...times, starts, step, ...(now !== undefined && { now }), counted });
}

/** Reads the zone of times in a URL from rows that are counts: in UTC they lie at the range's edges. */
function readCountedRows(local: readonly string[], starts: readonly number[], step: number): LocalTimes {
  const times = local.map((value) => readGivenTime(value) ?? Number.NaN);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [first = Number.NaN, last = Number.NaN] = [starts[0], starts.at(-1)];
  const isNear = Math.abs(first - from) <= step || Math.abs(last - to) <= step;
  if (isNear || local.every((value) => !/\d:\d\d/.test(value)))
    return { zone: 'UTC', evidence: 'the rows lie at the edges of the range in UTC' };
  return {
    zone: 'UTC',
    question: `x-zone of ${JSON.stringify(local[0])} in the URL: the rows lie at no edge of the range in UTC; write the zone that the vendor's page names`,
  };
}

function isWithoutOffset(value: string): boolean {
  const unit = documentUnit([value]);
  return unit !== undefined && /^(iso|text|dmy|mdy)$/.test(unit) && readShownOffset(value) === undefined;
}

function describeOpenPool({ pathname, searchParams }: URL): string {
  const parts = [...pathname.split('/').filter((part) => part !== ''), ...searchParams.values()];
  return `x-role pool: no part of the URL looks like a market; name it with --pool: one of ${parts.slice(0, mostNamed).join(', ')}`;
}

function describeOpenInterval(step: number): string {
  const length = Number.isFinite(step) ? ` of ${step} s` : '';
  return `x-role interval: no part of the URL is the interval${length}; look at a URL that names it, by the vendor's page`;
}

/** Words the times without a role that hold the rows: each request would repeat them. */
function listFixedTimes(
  parameters: readonly DraftParameter[],
  starts: readonly number[],
  step: number,
): string[] {
  return parameters.flatMap(({ name, value, role, isIdle }) => {
    const time = role === undefined && !isIdle ? readGivenTime(value, true) : undefined;
    const holds = time !== undefined && starts.every((start) => Math.abs(start - time) <= twoDays + step);
    return holds
      ? [
          `x-role of ${name}: the rows are those of ${value}, which each request would repeat; look at a URL with the two ends of a range, or adapt the API by a proxy that has them`,
        ]
      : [];
  });
}

/** A day in any zone, and the days beside it. */
const twoDays = 172_800;

/** Lists the values of a row that an answer leaves open. */
function listQuestions({ unknown }: DraftAnswer): string[] {
  if (unknown.length === 0) return [];
  return [`x-role of ${unknown.slice(0, mostNamed).join(', ')} in a row: nothing shows what it means`];
}

/** Values of a row that a question names. */
const mostNamed = 12;
