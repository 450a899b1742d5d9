import type { Compiler } from './bounded-schema.ts';
import { type CompiledParameters, compileParameters } from './compile-parameters.ts';
import {
  collect,
  escapePointer,
  type Follow,
  Misplaced,
  requireMap,
  requireText,
  resolvePlace,
} from './place.ts';
import {
  type Annotated,
  readFreshness,
  readGaps,
  readOperationRole,
  readSince,
  readSpace,
} from './read-annotations.ts';
import { type DescribedOperation, readCandleFields, readTokenFields } from './read-fields.ts';
import { requestName } from './request-path.ts';
import type { CandleRole, FieldNames, OperationRole } from './roles.ts';
import { findSigns, readEmpty } from './row-signs.ts';
import { describedFields, findRows } from './rows.ts';
import type { KeyPlace, Operation, Parameter } from './spec.ts';

/** Returns the headers of an operation's 200 response by name. */
export function successHeaders(
  follow: Follow,
  operation: Annotated,
  pointer: string,
): Readonly<Record<string, Annotated>> {
  const [success, place] = findSuccess(follow, operation, pointer);
  const headersPlace = `${place}/headers`;
  return Object.fromEntries(
    Object.entries(requireMap(success.headers ?? {}, headersPlace)).map(([name, property]) => {
      const at = resolvePlace(property, `${headersPlace}/${escapePointer(name)}`);
      return [name, requireMap(follow(property, at), at)];
    }),
  );
}

function findSuccess(follow: Follow, { responses = {} }: Annotated, pointer: string): [Annotated, string] {
  const success = requireMap(responses, `${pointer}/responses`)['200'] ?? {};
  const place = resolvePlace(success, `${pointer}/responses/200`);
  return [requireMap(follow(success, place), place), place];
}

/** Compiles one operation of the document. Throws Misplaced at whatever makes it unusable. */
export function compileOperation(
  compiled: Compiler,
  { path: template, method, tags, place: pointer }: DescribedOperation,
  keys: readonly KeyPlace[],
): Operation {
  const role = readOperationRole(tags, pointer);
  const [{ parameters, lengths, ...rows }, answer] = collect<[CompiledParameters, AnswerPart]>([
    () => compileParameters(compiled, tags, pointer, role, keys),
    () => compileAnswer(compiled, tags, pointer, role),
  ]);
  const headers = Object.entries(successHeaders(compiled.follow, tags, pointer));
  const sent = method === 'post' ? { method: 'POST' as const } : {};
  const { fields } = answer as { fields: FieldNames<CandleRole> };
  const isOfEnds = role === 'history' && fields.start === undefined && fields.end !== undefined;
  const path = spreadSteps(template, parameters, lengths);
  return {
    id: operationName(tags, pointer) ?? requestName({ ...sent, path: template }),
    title: readName(tags, 'summary', pointer) ?? requestName({ ...sent, path: template }),
    role,
    space: readSpace(tags),
    gaps: readGaps(tags, pointer),
    ...readFreshness(tags, pointer),
    ...(tags['x-since'] !== undefined && { since: readSince(tags, pointer) }),
    earliest: 0,
    ...rows,
    ...(isOfEnds && { lateBy: lengths }),
    ...sent,
    ...listMediaTypes(compiled.follow, tags, pointer),
    path,
    parameters,
    ...answer,
    headers: headers.map(([name]) => name.toLowerCase()),
    acceptsHeader: compiled.schema(
      headers[0]?.[1].schema ?? {},
      `${pointer}/responses/200/headers`,
      'answer',
    ),
    pointer,
  };
}

function listMediaTypes(follow: Follow, tags: Annotated, pointer: string): Pick<Operation, 'mediaTypes'> {
  const [success] = findSuccess(follow, tags, pointer);
  const others = Object.keys(success.content ?? {}).filter((type) => type !== 'application/json');
  return others.length > 0
    ? { mediaTypes: others.map((type) => type.toLowerCase().split(';')[0] ?? '') }
    : {};
}

/** Writes `{+name}` for an interval of several steps, one of whose values holds a slash, such as `minutes/5`. */
function spreadSteps(
  template: string,
  parameters: readonly Parameter[],
  lengths: Readonly<Record<string, number>>,
): string {
  const interval = parameters.find(({ role, in: where }) => role === 'interval' && where === 'path');
  const isSpread = interval && Object.keys(lengths).some((name) => name.includes('/'));
  return isSpread ? template.replace(`{${interval.name}}`, `{+${interval.name}}`) : template;
}

type AnswerPart = Pick<
  Operation,
  | (
      | 'rowsAt'
      | 'layout'
      | 'answersList'
      | 'acceptsShape'
      | 'acceptsRecord'
      | 'recordFields'
      | 'fields'
      | 'forms'
      | 'zone'
      | 'zoneName'
    )
  | keyof ReturnType<typeof findSigns>
  | keyof ReturnType<typeof readEmpty>
>;

function compileAnswer(
  compiled: Compiler,
  tags: Annotated,
  pointer: string,
  role: OperationRole,
): AnswerPart {
  const { follow } = compiled;
  const [schema, place] = successSchema(follow, tags, pointer);
  const rows = findRows(follow, schema, place, role);
  const { fields: described, place: fieldsPlace, layout } = describedFields(follow, rows);
  // Bounds the schema before anything walks through it.
  const acceptsShape = compiled.schema(rows.shape, place, 'answer');
  return {
    rowsAt: rows.at,
    ...(layout && { layout }),
    answersList: rows.isList,
    acceptsShape,
    ...findSigns(follow, rows.shape, place),
    ...readEmpty(rows.shape, rows.at, place),
    acceptsRecord: compiled.schema(follow(rows.record, rows.place), rows.place, 'answer'),
    recordFields: Object.keys(described),
    ...(role === 'tokens'
      ? { fields: readTokenFields(described, fieldsPlace), forms: {} }
      : readCandleFields(described, fieldsPlace)),
  };
}

/** Results are found by it: a longer one would not fit the index of a database. */
const longestOperationId = 160;

function operationName(operation: Annotated, pointer: string): string | undefined {
  const name = readName(operation, 'operationId', pointer);
  if (name === undefined || (name.length <= longestOperationId && !/[\p{Cc}\p{Cs}]/u.test(name))) return name;
  throw new Misplaced(
    `${pointer}/operationId`,
    `the operationId is longer than ${longestOperationId} characters or holds a control character: give a short name`,
  );
}

function readName(operation: Annotated, name: string, pointer: string): string | undefined {
  return operation[name] === undefined ? undefined : requireText(operation[name], `${pointer}/${name}`);
}

/** Returns the schema of an operation's 200 response in JSON, with its place. Throws Misplaced if there is none. */
export function successSchema(
  follow: Follow,
  operation: Annotated,
  pointer: string,
): [schema: unknown, place: string] {
  const [success, place] = findSuccess(follow, operation, pointer);
  const contentPlace = `${place}/content`;
  const types = Object.entries(requireMap(success.content ?? {}, contentPlace));
  const [type, content] = types.find(([name]) => /json/.test(name)) ?? [];
  const { schema } = content === undefined ? {} : requireMap(content, `${contentPlace}/${type}`);
  if (type === undefined || schema === undefined)
    throw new Misplaced(`${pointer}/responses`, 'a 200 with a JSON schema is missing here; add it');
  return [schema, `${contentPlace}/${escapePointer(type)}/schema`];
}
