import { findLayout } from '@candleproof/document/layout/find-layout';
import type { ApiDraft } from './draft.ts';
import { type DraftAnswer, draftAnswer } from './draft-answer.ts';
import { nameMarkets } from './draft-envelope.ts';
import { openGaps, settleGaps } from './draft-gaps.ts';
import { draftRequest } from './draft-parameters.ts';
import type { DraftParameter } from './request-times.ts';
import { markShownEdges, retagStart } from './settle-rows.ts';

/** Facts of the rows that were read: the seconds between them, and the key's header. */
export type RowFacts = {
  readonly step: number;
  /** The server's time in Unix seconds, if it is known. */
  readonly now?: number;
  readonly key?: ApiDraft['key'];
};

/** Drafts the document of an answer to a URL; undefined for an answer whose rows cannot be found. */
export function draftApi(url: URL, body: unknown, { step, key, now }: RowFacts): ApiDraft | undefined {
  const layout = findLayout(body);
  const first = layout && draftAnswer(body, layout, undefined);
  if (!layout || !first) return undefined;
  const starts = first.rows.map(({ start }) => start);
  const { path, parameters } = draftRequest(url, { step, starts, names: nameMarkets(body) });
  const pool = parameters.find(({ role }) => role === 'pool')?.value;
  const answer = draftAnswer(body, layout, pool) ?? first;
  const has = (role: string): boolean => parameters.some((parameter) => parameter.role === role);
  const needsMost = !has('since') && (!has('to') || (!has('from') && !has('limit')));
  const isOfEnds = now !== undefined && (starts.at(-1) ?? 0) > now;
  const draft: ApiDraft = {
    ...{ url, path, parameters, layout, step, gaps: openGaps.gaps, rows: answer.rows },
    schema: retagStart(answer.schema, isOfEnds ? { 'x-role': 'end' } : {}),
    ...(needsMost && { maxRows: answer.rows.length }),
    ...(key && { key }),
    ...(pool !== undefined && { pool }),
    guesses: [
      ...parameters.flatMap(({ name, guess }) => (guess === undefined ? [] : [`${name}: ${guess}`])),
      ...openGaps.guesses,
      ...(needsMost ? [`x-max-rows ${answer.rows.length}: as many rows came`] : []),
      ...(isOfEnds ? ['x-role end: the newest row is later than the answer'] : []),
    ],
    questions: [...openGaps.questions, ...listQuestions(answer)],
    missing: [
      ...['pool', 'interval']
        .filter((role) => !has(role))
        .map((role) => `no parameter of the URL is the ${role}`),
      ...(Number.isFinite(step) ? [] : ['the rows show no interval']),
      ...answer.remarks,
    ],
  };
  return markShownEdges(settleGaps(draft, answer.rows, step, 'this answer'));
}

/** Lists the values of a row that an answer leaves open. */
function listQuestions({ unknown }: DraftAnswer): string[] {
  if (unknown.length === 0) return [];
  return [`x-role of ${unknown.slice(0, mostNamed).join(', ')} in a row: nothing shows what it means`];
}

/** Values of a row that a question names. */
const mostNamed = 12;

/** Writes a draft as an OpenAPI document. */
export function writeDraft(draft: ApiDraft): object {
  const { url, path, parameters, schema, gaps, maxRows, key, pool, guesses, questions } = draft;
  const operation = {
    operationId: 'getCandles',
    'x-role': 'history',
    'x-gaps': gaps,
    ...(maxRows !== undefined && { 'x-max-rows': maxRows }),
    'x-guesses': guesses,
    ...(questions.length > 0 && { 'x-questions': questions }),
    parameters: parameters.map(writeParameter),
    responses: { 200: { description: 'Candles.', content: { 'application/json': { schema } } } },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: `Candles of ${url.hostname}`,
      version: '0',
      ...(pool !== undefined && { 'x-sample-pools': [pool] }),
    },
    servers: [{ url: url.origin }],
    ...writeSecurity(key),
    paths: { [path]: { get: operation } },
  };
}

function writeSecurity(key: ApiDraft['key']): object {
  if (!key) return { security: [] };
  const { name, prefix } = key;
  const scheme = { type: 'apiKey', in: 'header', name, ...(prefix !== '' && { 'x-prefix': prefix }) };
  return { security: [{ key: [] }], components: { securitySchemes: { key: scheme } } };
}

function writeParameter({ name, in: place, role, tags, schema, isIdle }: DraftParameter): object {
  const roles = role === undefined ? {} : { 'x-role': role };
  // A URL shows no parameter to be required; a fixed one is sent if it is.
  const required = place === 'path' || (role === undefined && !isIdle);
  return { name, in: place, required, ...roles, ...tags, schema };
}
