import type { ApiDraft } from './draft.ts';
import type { DraftParameter } from './request-times.ts';

/** Writes a draft as an OpenAPI document. */
export function writeDraft(draft: ApiDraft): object {
  const { url, path, parameters, schema, gaps, maxRows, pool, guesses, questions, missing } = draft;
  const open = [...missing, ...questions];
  const operation = {
    operationId: 'getCandles',
    'x-role': 'history',
    'x-gaps': gaps,
    ...(maxRows !== undefined && { 'x-max-rows': maxRows }),
    'x-guesses': guesses,
    ...(open.length > 0 && { 'x-questions': open }),
    parameters: [
      ...parameters.filter(({ in: place }) => place !== 'body').map(writeParameter),
      ...writeHeaders(draft),
    ],
    ...(draft.body !== undefined && { requestBody: writeRequestBody(draft) }),
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
    ...writeSecurity(draft),
    paths: { [path]: { [draft.body === undefined ? 'get' : 'post']: operation } },
  };
}

/** Writes the JSON body of a POST: its members, of which those without a role have one value. */
function writeRequestBody({ parameters }: ApiDraft): object {
  const members = parameters.filter(({ in: place }) => place === 'body');
  const nest = (inner: readonly DraftParameter[], depth: number): object => {
    const heads = [...Map.groupBy(inner, ({ name }) => name.split('.')[depth] ?? '')];
    const properties = heads.map(([head, below]) => {
      const leaf = below.find(({ name }) => name.split('.').length === depth + 1);
      return [head, leaf ? writeMember(leaf) : nest(below, depth + 1)];
    });
    // A list of the body has its items at their places.
    if (heads.every(([head], at) => head === String(at)))
      return { type: 'array', prefixItems: properties.map(([, item]) => item) };
    return {
      type: 'object',
      required: heads.map(([head]) => head),
      properties: Object.fromEntries(properties),
    };
  };
  return { required: true, content: { 'application/json': { schema: nest(members, 0) } } };
}

function writeMember({ role, tags, schema }: DraftParameter): object {
  return { ...(role !== undefined && { 'x-role': role }), ...tags, ...schema };
}

/** Writes the schemes of the key and of further secrets. */
function writeSecurity({ key, headers = [] }: ApiDraft): object {
  const further = headers.flatMap(({ name, text, scheme }) =>
    scheme === undefined ? [] : [[scheme, { in: 'header', name, prefix: text }] as const],
  );
  const all = [...(key ? [['key', key] as const] : []), ...further];
  if (all.length === 0) return { security: [] };
  const schemes = all.map(([scheme, { in: place, name, prefix }]) => [
    scheme,
    { type: 'apiKey', in: place, name, ...(prefix !== '' && { 'x-prefix': prefix }) },
  ]);
  return {
    security: [Object.fromEntries(all.map(([scheme]) => [scheme, []]))],
    components: { securitySchemes: Object.fromEntries(schemes) },
  };
}

/** Writes the headers that have the same text in each request. */
function writeHeaders({ headers = [] }: ApiDraft): object[] {
  return headers.flatMap(({ name, text, scheme }) =>
    scheme === undefined
      ? [{ name, in: 'header', required: true, schema: { type: 'string', const: text } }]
      : [],
  );
}

function writeParameter({ name, in: place, role, tags, schema, isIdle }: DraftParameter): object {
  const roles = role === undefined ? {} : { 'x-role': role };
  // A URL shows no parameter to be required; a fixed one is sent if it is, and a range without an end needs its beginning.
  const required = place === 'path' || role === 'since' || (role === undefined && !isIdle);
  return { name, in: place, required, ...roles, ...tags, schema };
}
