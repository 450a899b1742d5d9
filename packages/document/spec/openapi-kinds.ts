import { escapePointer, isContainer, isMap, readMember } from './place.ts';

/** An object of OpenAPI. Its members that hold no further objects are data, in which nothing is followed. */
type Description = {
  /** Returns whether a map can be of this kind; absent for kinds that no reference leads to. */
  readonly isLike?: (map: Readonly<Record<string, unknown>>) => boolean;
  readonly data: string;
  /** Each with its kind, and `[]` for a list of them, `{}` for a map of them; `*` stands for any name. */
  readonly parts: string;
};

/** The kinds of objects that a document consists of. */
export type ObjectKind =
  | ('document' | 'components' | 'path' | 'operation' | 'parameter' | 'header' | 'requestBody' | 'response')
  | ('mediaType' | 'encoding' | 'example' | 'link' | 'callback' | 'securityScheme' | 'schema');

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const shaping = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
];
const hasSchema = ({ schema, content, itemSchema }: Readonly<Record<string, unknown>>): boolean =>
  isMap(schema) || isMap(content) || isMap(itemSchema);
const valueData = 'description required deprecated allowEmptyValue style explode allowReserved example';
const valueParts = 'schema:schema content:mediaType{} examples:example{}';
const encodings = 'encoding:encoding{} prefixEncoding:encoding[] itemEncoding:encoding';

const described: Readonly<Record<ObjectKind, Description>> = {
  document: {
    data: 'openapi info servers security tags externalDocs jsonSchemaDialect $self',
    parts: 'paths:path{} webhooks:path{} components:components',
  },
  components: {
    data: '',
    parts: `schemas:schema{} responses:response{} parameters:parameter{} examples:example{} headers:header{} links:link{}
      requestBodies:requestBody{} securitySchemes:securityScheme{} callbacks:callback{} pathItems:path{}
      mediaTypes:mediaType{}`,
  },
  path: {
    isLike: (map) => methods.some((method) => method in map),
    data: 'summary description servers',
    parts: `parameters:parameter[] additionalOperations:operation{} ${methods.map((method) => `${method}:operation`).join(' ')}`,
  },
  operation: {
    data: 'tags summary description externalDocs operationId deprecated security servers',
    parts: 'parameters:parameter[] requestBody:requestBody responses:response{} callbacks:callback{}',
  },
  parameter: {
    isLike: (map) =>
      typeof map.name === 'string' &&
      /^(query|path|header|cookie|querystring)$/.test(String(map.in)) &&
      hasSchema(map),
    data: `name in ${valueData}`,
    parts: valueParts,
  },
  header: { isLike: hasSchema, data: valueData, parts: valueParts },
  requestBody: { isLike: hasSchema, data: 'description required', parts: 'content:mediaType{}' },
  response: {
    isLike: (map) => typeof map.description === 'string' || isMap(map.headers) || isMap(map.content),
    data: 'summary description',
    parts: 'headers:header{} content:mediaType{} links:link{}',
  },
  mediaType: {
    isLike: hasSchema,
    data: 'example',
    parts: `schema:schema itemSchema:schema examples:example{} ${encodings}`,
  },
  encoding: {
    data: 'contentType style explode allowReserved',
    parts: `headers:header{} ${encodings}`,
  },
  example: { data: 'summary description value externalValue dataValue serializedValue', parts: '' },
  link: {
    isLike: (map) => 'operationId' in map || 'operationRef' in map,
    data: 'operationRef operationId parameters requestBody description server',
    parts: '',
  },
  callback: { isLike: () => true, data: '', parts: '*:path' },
  securityScheme: {
    isLike: ({ type }) => /^(apiKey|http|mutualTLS|oauth2|openIdConnect)$/.test(String(type)),
    data: 'type description name in scheme bearerFormat flows openIdConnectUrl oauth2MetadataUrl deprecated',
    parts: '',
  },
  schema: {
    // A default or an enum alone may be anything.
    isLike: (map) =>
      map.type === undefined
        ? Object.keys(map).length === 0 || shaping.some((name) => name in map)
        : [map.type].flat().every((type) => types.includes(String(type))),
    data: `$schema $id $anchor $dynamicAnchor $dynamicRef $vocabulary $comment title description type format enum const
      default example examples deprecated readOnly writeOnly nullable discriminator xml externalDocs multipleOf maximum
      exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains
      minContains maxProperties minProperties required dependentRequired contentEncoding contentMediaType`,
    parts: `properties:schema{} patternProperties:schema{} dependentSchemas:schema{} $defs:schema{} definitions:schema{}
      allOf:schema[] anyOf:schema[] oneOf:schema[] prefixItems:schema[] items:schema additionalProperties:schema not:schema
      if:schema then:schema else:schema contains:schema propertyNames:schema contentSchema:schema
      unevaluatedItems:schema unevaluatedProperties:schema`,
  },
};

type Form = { readonly kind: ObjectKind; readonly holder: '' | '[]' | '{}' };

/** The members of each kind; undefined for data. */
const members: ReadonlyMap<string, ReadonlyMap<string, Form | undefined>> = new Map(
  Object.entries(described).map(([kind, { data, parts }]) => [
    kind,
    new Map([
      ...data.split(/\s+/).map((name) => [name, undefined] as const),
      ...[...parts.matchAll(/(\S+):(\w+)(\S*)/g)].map(
        ([, name = '', part, holder]) => [name, { kind: part, holder } as Form] as const,
      ),
    ]),
  ]),
);

function partForm(kind: ObjectKind, name: string): Form | undefined {
  if (name.startsWith('x-')) return undefined;
  return members.get(kind)?.get(name) ?? members.get(kind)?.get('*');
}

/** An object of OpenAPI in the map or list that holds it. */
export type ObjectPart = {
  readonly around: object;
  readonly name: string;
  /** JSON pointer from the object that it is a part of. */
  readonly pointer: string;
  readonly kind: ObjectKind;
};

/** Lists the objects of OpenAPI that are parts of another. */
export function listParts(whole: object, kind: ObjectKind): ObjectPart[] {
  return Object.keys(whole).flatMap((name): ObjectPart[] => {
    const form = partForm(kind, name);
    if (form === undefined) return [];
    const pointer = `/${escapePointer(name)}`;
    if (form.holder === '') return [{ around: whole, name, pointer, kind: form.kind }];
    const around = readMember(whole, name);
    if (!isContainer(around) || Array.isArray(around) !== (form.holder === '[]')) return [];
    return Object.keys(around).map((entry) => ({
      ...{ around, name: entry, kind: form.kind },
      pointer: `${pointer}/${escapePointer(entry)}`,
    }));
  });
}

/** Returns whether OpenAPI takes a reference in place of an object of this kind. */
export function isReferable(kind: ObjectKind): boolean {
  return described[kind].isLike !== undefined;
}

/**
 * Returns the JSON pointer to the first part of a value that is not of its kind, or has a member that OpenAPI does not
 * know; undefined if there is none.
 */
export function findMisfit(value: unknown, kind: ObjectKind, pointer = ''): string | undefined {
  if (kind === 'schema' && typeof value === 'boolean') return undefined;
  if (!isMap(value)) return pointer;
  const map = value as Readonly<Record<string, unknown>>;
  const isReference = isReferable(kind) && typeof readMember(value, '$ref') === 'string';
  if (!isReference && described[kind].isLike?.(map) === false) return pointer;
  const unknown = Object.keys(map).find((name) => !isKnown(name, map[name], kind, isReference));
  if (unknown !== undefined) return `${pointer}/${escapePointer(unknown)}`;
  for (const part of listParts(value, kind)) {
    const misfit = findMisfit(readMember(part.around, part.name), part.kind, pointer + part.pointer);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function isKnown(name: string, member: unknown, kind: ObjectKind, isReference: boolean): boolean {
  const form = partForm(kind, name);
  if (form === undefined)
    return name.startsWith('x-') || (name === '$ref' && isReference) || members.get(kind)?.has(name) === true;
  return form.holder === '[]' ? Array.isArray(member) : form.holder === '' || isMap(member);
}
