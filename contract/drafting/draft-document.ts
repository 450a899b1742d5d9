import { findLayout } from '../layout/find-layout.ts';
import type { RowShape } from '../layout/layout.ts';
import { draftAnswer } from './draft-answer.ts';
import { type DraftParameter, draftRequest } from './draft-parameters.ts';

/** An OpenAPI document for the API of one answer, with what of it is a guess and what is missing. */
export type DraftDocument = {
  readonly document: object;
  readonly layout: RowShape;
  readonly parameters: readonly DraftParameter[];
  readonly pool?: string;
  /** Guesses, each with its evidence. */
  readonly guesses: readonly string[];
  /** Parts that a check needs and the URL does not show. */
  readonly missing: readonly string[];
};

/** Facts of the rows that were read: the seconds between them, whether intervals are missing, and the key's header. */
export type RowFacts = {
  readonly step: number;
  readonly hasGaps: boolean;
  readonly key?: { readonly name: string; readonly prefix: string };
};

/** Drafts the document of an answer to a URL; undefined for an answer whose rows cannot be found. */
export function draftDocument(url: URL, body: unknown, facts: RowFacts): DraftDocument | undefined {
  const layout = findLayout(body);
  if (!layout) return undefined;
  const { path, parameters } = draftRequest(url, facts);
  const pool = parameters.find(({ role }) => role === 'pool')?.value;
  const answer = draftAnswer(body, layout, pool);
  if (!answer) return undefined;
  const has = (role: string): boolean => parameters.some((parameter) => parameter.role === role);
  const needsMost = !has('to') || (!has('from') && !has('limit'));
  const gaps = facts.hasGaps ? 'idle' : 'none';
  const guesses = [
    ...parameters.flatMap(({ name, guess }) => (guess === undefined ? [] : [`${name}: ${guess}`])),
    `x-gaps ${gaps}: ${facts.hasGaps ? 'this answer lacks rows of some intervals' : 'this answer has a row for every interval'}`,
    ...(needsMost ? [`x-max-rows ${answer.rows}: as many rows came`] : []),
  ];
  const operation = {
    operationId: 'getCandles',
    'x-role': 'history',
    'x-gaps': gaps,
    ...(needsMost && { 'x-max-rows': answer.rows }),
    'x-guesses': guesses,
    parameters: parameters.map(writeParameter),
    responses: {
      200: { description: 'Candles.', content: { 'application/json': { schema: answer.schema } } },
    },
  };
  return {
    document: {
      openapi: '3.1.0',
      info: {
        title: `Candles of ${url.hostname}`,
        version: '0',
        ...(pool !== undefined && { 'x-sample-pools': [pool] }),
      },
      servers: [{ url: url.origin }],
      ...writeSecurity(facts.key),
      paths: { [path]: { get: operation } },
    },
    layout,
    parameters,
    pool,
    guesses,
    missing: [
      ...['pool', 'interval']
        .filter((role) => !has(role))
        .map((role) => `no parameter of the URL is the ${role}`),
      ...(Number.isFinite(facts.step) ? [] : ['the rows show no interval']),
      ...answer.remarks,
    ],
  };
}

function writeSecurity(key: RowFacts['key']): object {
  if (!key) return { security: [] };
  const { name, prefix } = key;
  const scheme = { type: 'apiKey', in: 'header', name, ...(prefix !== '' && { 'x-prefix': prefix }) };
  return { security: [{ key: [] }], components: { securitySchemes: { key: scheme } } };
}

function writeParameter({ name, in: place, role, tags, schema }: DraftParameter): object {
  const roles = role === undefined ? {} : { 'x-role': role };
  return { name, in: place, required: role !== 'limit' || place === 'path', ...roles, ...tags, schema };
}
