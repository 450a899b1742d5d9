import { checkBounds } from './bounded-schema.ts';
import {
  escapePointer,
  type Follow,
  Misplaced,
  readMember,
  requireList,
  requireMap,
  resolvePlace,
} from './place.ts';
import type { Annotated } from './read-annotations.ts';
import { parameterRoles } from './roles.ts';
import { resolveSchema } from './row-forms.ts';

/** A parameter, or a member of a request's body, with its place in the document and the extensions of its schema. */
export type ListedParameter = { readonly parameter: Annotated; readonly place: string };

/** Returns the place of a parameter's schema; a member of a body is its own. */
export function schemaPlace({ parameter, place }: ListedParameter): string {
  return resolvePlace(parameter.schema, parameter.in === 'body' ? place : `${place}/schema`);
}

/** Lists an operation's parameters, and the members of its body, which are `in: body`. */
export function listParameters(follow: Follow, tags: Annotated, pointer: string): ListedParameter[] {
  return [...listPlain(follow, tags, pointer), ...listMembers(follow, tags, pointer)];
}

function listPlain(follow: Follow, { parameters = [] }: Annotated, pointer: string): ListedParameter[] {
  return requireList(parameters, `${pointer}/parameters`).map((parameter, at) => {
    const place = resolvePlace(parameter, `${pointer}/parameters/${at}`);
    const meant = requireMap(follow(parameter, place), place);
    return { parameter: { ...readSchemaTags(follow(meant.schema, place)), ...meant }, place };
  });
}

/** Returns the extensions of a parameter that are at its schema; a schema may have the role of a field as well. */
function readSchemaTags(schema: unknown): Annotated {
  const tags = ['x-unit', 'x-zone', 'x-edge', 'x-seconds'].map((name) => [name, readMember(schema, name)]);
  const role = parameterRoles.find((parameterRole) => parameterRole === readMember(schema, 'x-role'));
  return Object.fromEntries([...tags, ['x-role', role]].filter(([, value]) => value !== undefined));
}

/** Levels of members in a body; references may form a circle. */
const deepest = 10;

/** Lists the members of a JSON body that have a role, a value of their own, or no members. */
function listMembers(follow: Follow, { requestBody }: Annotated, pointer: string): ListedParameter[] {
  if (requestBody === undefined) return [];
  const place = resolvePlace(requestBody, `${pointer}/requestBody`);
  const content = requireMap(requireMap(follow(requestBody, place), place).content ?? {}, `${place}/content`);
  const [type = ''] = Object.keys(content).filter((name) => /json/.test(name));
  const schema = readMember(content[type], 'schema');
  if (schema === undefined)
    throw new Misplaced(
      place,
      'the body has no JSON schema here: describe its members, or leave the x-role out',
    );
  const schemaAt = `${place}/content/${escapePointer(type)}/schema`;
  // Bounds the schema before anything walks through it.
  checkBounds(follow, schema, schemaAt, 'parameter');
  const found: ListedParameter[] = [];
  const walk = (given: unknown, from: string, at: readonly string[], required: boolean): void => {
    const [node, resolved] = resolveSchema(follow, given, from);
    const isPlain = node.properties === undefined && node.prefixItems === undefined;
    const isOpen = isPlain || node['x-role'] !== undefined || at.length > deepest;
    if (at.length > 0 && (isOpen || node.const !== undefined || node.default !== undefined)) {
      const parameter = {
        ...readSchemaTags(node),
        name: at.join('.'),
        in: 'body',
        at,
        required,
        schema: given,
      };
      found.push({ parameter, place: from });
      return;
    }
    for (const [index, item] of requireList(node.prefixItems ?? [], `${resolved}/prefixItems`).entries())
      walk(item, `${resolved}/prefixItems/${index}`, [...at, String(index)], required);
    const members = requireMap(node.properties ?? {}, `${resolved}/properties`);
    for (const [name, member] of Object.entries(members)) {
      const isNeeded = required && (node.required ?? []).includes(name);
      walk(member, `${resolved}/properties/${escapePointer(name)}`, [...at, name], isNeeded);
    }
  };
  walk(schema, schemaAt, [], true);
  return found;
}
