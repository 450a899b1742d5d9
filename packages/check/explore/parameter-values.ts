import { requireOperation } from '@candleproof/document/spec/operation';
import { followReference } from '@candleproof/document/spec/place';
import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Parameter, Spec } from '@candleproof/document/spec/spec';
import type { OpenAPIV3_1 } from 'openapi-types';

type Schema = OpenAPIV3_1.SchemaObject;

/** One way to leave a parameter's schema by a single step. */
export type MissKind =
  | 'left out'
  | 'twice'
  | 'twice unlike'
  | 'empty'
  | 'fraction'
  | 'word'
  | 'with a blank'
  | 'with zeros'
  | 'with a plus'
  | 'as a power'
  | 'below the least'
  | 'above the most'
  | 'other case'
  | 'cut short'
  | 'lengthened'
  | 'number';

/** A parameter that is given wrongly, and how. */
export type Miss = { readonly parameter: string; readonly kind: MissKind };

/** Lists every near miss of an operation's parameters with a role, as their schemas in openapi.yaml have them. */
export function listMisses(spec: Spec, role: OperationRole): Miss[] {
  const kinds = (parameter: Parameter): MissKind[] => [
    ...(parameter.in === 'query' ? (['twice', 'twice unlike', 'empty'] as const) : []),
    ...(parameter.in === 'query' && parameter.required ? (['left out'] as const) : []),
    ...listKinds(findSchema(spec, role, parameter.name)),
  ];
  const taken = requireOperation(spec, role).parameters.filter((parameter) => parameter.role !== undefined);
  return taken.flatMap((parameter) =>
    kinds(parameter).map((kind): Miss => ({ parameter: parameter.name, kind })),
  );
}

function listKinds(schema: Schema): MissKind[] {
  if (schema.enum) return ['other case', 'cut short', 'lengthened', 'with a blank'];
  if (schema.type === 'boolean') return ['other case', 'number'];
  const { minimum, maximum } = schema;
  return [
    'fraction',
    'word',
    'with a blank',
    'with zeros',
    'with a plus',
    'as a power',
    ...(minimum === undefined ? [] : (['below the least'] as const)),
    ...(maximum === undefined ? [] : (['above the most'] as const)),
  ];
}

/** Returns the texts in the URL for a near miss; none if the parameter is omitted. */
export function listMissedTexts(
  spec: Spec,
  role: OperationRole,
  { parameter, kind }: Miss,
  value: string,
): string[] {
  const schema = findSchema(spec, role, parameter);
  const { minimum = 0, maximum = 0 } = schema;
  const texts: Readonly<Record<MissKind, string[]>> = {
    'left out': [],
    twice: [value, value],
    'twice unlike': [value, makeOther(value, schema)],
    empty: [''],
    fraction: [`${value}.5`],
    word: ['word'],
    'with a blank': [` ${value}`],
    'with zeros': [`00${value}`],
    'with a plus': [`+${value}`],
    'as a power': [`${value}e0`],
    'below the least': [String(minimum - 1)],
    'above the most': [String(maximum + 1)],
    'other case': [value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()],
    'cut short': [value.slice(0, -1)],
    lengthened: [`${value}S`],
    number: ['1'],
  };
  return texts[kind];
}

/** Returns another value that the schema accepts. */
function makeOther(value: string, { enum: values = [], type }: Schema): string {
  if (type === 'boolean') return String(value !== 'true');
  return String(values.find((candidate) => String(candidate) !== value) ?? Number(value) + 1);
}

function findSchema(spec: Spec, role: OperationRole, name: string): Schema {
  const { document, file } = spec;
  const { id, pointer } = requireOperation(spec, role);
  const follow = <Node>(value: unknown): Node => followReference(document, value, pointer) as Node;
  const { parameters = [] } = follow<OpenAPIV3_1.OperationObject>({ $ref: `#${pointer}` });
  const found = parameters
    .map((parameter) => follow<OpenAPIV3_1.ParameterObject>(parameter))
    .find((parameterObject) => parameterObject.name === name);
  if (!found?.schema) throw new Error(`${file}: ${id} has no parameter ${name} with a schema`);
  return follow<Schema>(found.schema);
}
