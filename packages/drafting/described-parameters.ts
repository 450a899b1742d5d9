import { parseTime } from '@candleproof/document/layout/written-times';
import { readDescribedLengths } from './described-intervals.ts';
import { readDescribedUnit } from './described-times.ts';
import { type DocumentNode, listNodes, memberNode, readTags, resolveNode } from './document-nodes.ts';
import type { DraftSchema } from './draft-envelope.ts';
import { type NamedParameter, nameRole } from './parameter-names.ts';
import type { DraftParameter } from './request-times.ts';
import { readExample } from './schema-rows.ts';

/** A parameter of a document's operation. */
export type DescribedParameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /** The parameter and its schema, where they are defined. */
  readonly node: DocumentNode;
  readonly schema: DocumentNode | undefined;
  /** The extensions of both, the parameter's first. */
  readonly tags: DraftSchema;
  /** Its value in the URL that is looked at, else its example. */
  readonly example: string | undefined;
};

/** The role of a described parameter with the extensions to add, and the evidence. */
export type RoledParameter = DescribedParameter & {
  readonly role: NonNullable<DraftParameter['role']>;
  readonly added: DraftSchema;
  readonly guess: string;
  readonly question?: string;
};

/** Lists the parameters of an operation and of its path; `given` are their values in a URL. */
export function listDescribedParameters(
  root: unknown,
  item: DocumentNode,
  operation: DocumentNode,
  given: Readonly<Record<string, string>>,
): DescribedParameter[] {
  const all = [operation, item].flatMap((node) => listNodes(memberNode(root, node, 'parameters')));
  return all.map((listed) => {
    const node = resolveNode(root, listed);
    const schema = memberNode(root, node, 'schema');
    const tags = { ...(schema && readTags(root, schema)), ...readTags(root, node) };
    const name = String(tags.name);
    const example = given[name] ?? readExample(root, node) ?? (schema && readExample(root, schema));
    const target = schema && resolveNode(root, schema);
    return {
      name,
      in: String(tags.in),
      required: tags.required === true,
      node,
      schema: target,
      tags,
      example,
    };
  });
}

/** Gives parameters their roles by names, enums, formats, examples and descriptions, each role once. */
export function giveParameterRoles(
  all: readonly DescribedParameter[],
  rowUnit: string | undefined,
): RoledParameter[] {
  const open = all.filter(
    ({ tags, in: where }) => tags.const === undefined && where !== 'header' && where !== 'cookie',
  );
  const named = open.flatMap((parameter) => {
    const role = nameDescribed(parameter);
    return role === undefined ? [] : [{ parameter, role }];
  });
  const first = (role: NamedParameter): DescribedParameter | undefined => {
    const found = named.filter((each) => each.role === role).map(({ parameter }) => parameter);
    return found.find(({ required }) => required) ?? found[0];
  };
  const [from, to] = orderTimes(first('from'), first('to'));
  const times = [
    ...(from ? [roleTime(from, to ? 'from' : 'since', rowUnit)] : []),
    ...(to ? [roleTime(to, 'to', rowUnit)] : []),
  ];
  const plain = (['pool', 'limit'] as const).flatMap((role) => {
    const parameter = first(role);
    return parameter ? [{ ...parameter, role, added: {}, guess: 'by its name' }] : [];
  });
  const interval = first('interval');
  return [...plain, ...(interval ? [roleInterval(interval)] : []), ...times];
}

/** Returns the role of a name, unless its schema speaks against it. */
function nameDescribed({ name, tags, in: where }: DescribedParameter): NamedParameter | undefined {
  const role =
    nameRole(name) ??
    (where === 'path' && /interval|time_?(frame|span)/i.test(name) ? 'interval' : undefined);
  const { type, enum: listed, format } = tags;
  const isNumber = type === 'integer' || type === 'number';
  if (role === 'limit') return isNumber || type === undefined ? role : undefined;
  if (role === 'from' || role === 'to') return Array.isArray(listed) || type === 'boolean' ? undefined : role;
  if (role === 'pool') return type === 'boolean' || format === 'date-time' ? undefined : role;
  if (role === 'interval') return type === 'boolean' ? undefined : role;
  // Any other name whose values are intervals.
  const hasWords = Array.isArray(listed) && listed.filter((value) => /\d/.test(String(value))).length > 1;
  return hasWords && readDescribedLengths(tags, undefined) ? 'interval' : undefined;
}

type Pair = [from: DescribedParameter | undefined, to: DescribedParameter | undefined];

/** Puts two times in the order of their examples: `before` and `after` are of rows at some venues, of the range at others. */
function orderTimes(from: DescribedParameter | undefined, to: DescribedParameter | undefined): Pair {
  const time = (parameter: DescribedParameter | undefined): number => {
    const unit = readDescribedUnit(parameter?.tags ?? {}, parameter?.example).unit;
    return parameter?.example === undefined ? Number.NaN : parseTime(parameter.example, unit);
  };
  return time(from) > time(to) ? [to, from] : [from, to];
}

function roleTime(
  parameter: DescribedParameter,
  role: 'from' | 'to' | 'since',
  rowUnit: string | undefined,
): RoledParameter {
  const known = readDescribedUnit(parameter.tags, parameter.example);
  const unit = known.evidence === undefined ? (rowUnit ?? known.unit) : known.unit;
  const evidence = known.evidence ?? (rowUnit === undefined ? undefined : 'as the rows have it');
  const needsZone =
    unit === 'iso' && parameter.example !== undefined && !/(Z|[+-]\d\d:?\d\d)$/i.test(parameter.example);
  return {
    ...parameter,
    role,
    added: { ...(unit !== 's' && { 'x-unit': unit }), ...(needsZone && { 'x-zone': 'UTC' }) },
    guess: `by its name; x-unit ${unit} ${evidence ?? 'by no evidence'}`,
    ...(evidence === undefined && {
      question: `x-unit of ${parameter.name}: nothing says whether it takes seconds, milliseconds or text; s is assumed`,
    }),
  };
}

function roleInterval(parameter: DescribedParameter): RoledParameter {
  const lengths = readDescribedLengths(parameter.tags, parameter.example);
  return {
    ...parameter,
    role: 'interval',
    added: lengths ? { 'x-seconds': lengths.seconds } : {},
    guess: `by its name${lengths ? `; lengths ${lengths.evidence}` : ''}`,
    ...(!lengths && {
      question: `x-seconds of ${parameter.name}: nothing lists its values; write a map from each to its seconds`,
    }),
  };
}

/** Lists the required parameters that have neither a role nor a value, with the value to fix, if there is an example. */
export function listUnfixed(
  all: readonly DescribedParameter[],
  roled: readonly RoledParameter[],
): { readonly parameter: DescribedParameter; readonly value: string | undefined }[] {
  return all.flatMap((parameter) => {
    const { required, tags, name, example } = parameter;
    const isFixed =
      tags.const !== undefined || tags.default !== undefined || [tags.enum ?? []].flat().length === 1;
    if (!required || isFixed || roled.some((each) => each.name === name)) return [];
    const [first] = [tags.enum ?? []].flat();
    return [{ parameter, value: example ?? (first === undefined ? undefined : String(first)) }];
  });
}
