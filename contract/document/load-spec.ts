import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { absolute, compileOperation, parametersOf, successHeaders } from './compile-operation.ts';
import { linearPattern } from './linear-pattern.ts';
import { escapePointer, type Follow, listAt, Misplaced, mapAt, placeOf, textAt } from './place.ts';
import { type Annotated, intervalsOf, quotaHeadersOf } from './read-annotations.ts';
import type { CandleRole, NamedInterval, QuotaHeaders, Role } from './roles.ts';
import { rungsOf } from './rungs.ts';
import type { Operation, Spec } from './spec.ts';
import { SpecError } from './spec-error.ts';
import { follow as followIn, readSpecFile, withLine } from './spec-file.ts';

/** How schemas are compiled: every departure, with the schema that it departs from. */
export const validation = {
  strict: true,
  // A tuple of others may be open at its end, and a format is no type.
  strictTuples: false,
  allowUnionTypes: true,
  validateFormats: false,
  // Keywords check their own values, and the linters the rest: compiling the meta-schema would take half of the load.
  validateSchema: false,
  allErrors: true,
  verbose: true,
} as const;

/** Reads and compiles the spec; throws a SpecError for text that is no YAML or no usable OpenAPI. */
export function loadSpec(file: string): Spec {
  const { value, sha256, lineOf } = readSpecFile(file);
  const document = openApiIn(value, file);
  return withLine(file, lineOf, () => {
    const ajv = new Ajv2020({ ...validation, code: { regExp: linearEngine } });
    ajv.addVocabulary(extensionsIn(document));
    const schemas = mapAt(document.components?.schemas ?? {}, '/components/schemas');
    ajv.addSchema(absolute({ $id: 'spec', $defs: schemas }));
    const isOurs = 'x-sections' in document.info;
    return { file, sha256, document, isOurs, ...compileOperations(document, ajv) };
  });
}

/** In k6, where a packed spec is used, every pattern is matched by RE2 already. */
const linearEngine = Object.assign(linearPattern, { code: 'linearPattern' });

/** Throws a SpecError for what is no OpenAPI 3.1 at its top; what lies below is looked at where it is used. */
function openApiIn(value: unknown, file: string): OpenAPIV3_1.Document {
  const { openapi, info, paths } = { ...(isObject(value) && value) } as Record<string, unknown>;
  if (!isObject(info) || !isObject(paths))
    throw new SpecError(`${file}: this is no OpenAPI: it needs "openapi: 3.1.0", info and paths at its top`);
  if (typeof openapi !== 'string' || !/^3\.1\./.test(openapi))
    throw new SpecError(
      `${file}: its "openapi" is ${JSON.stringify(openapi) ?? 'missing'}: write it in 3.1, such as 3.1.0`,
    );
  return value as OpenAPIV3_1.Document;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the document's extensions, which say nothing of shapes. */
export function extensionsIn(document: OpenAPIV3_1.Document): string[] {
  return [...new Set([...JSON.stringify(document).matchAll(/"(x-[\w-]+)":/g)].map(([, name = '']) => name))];
}

type Compiled = Pick<Spec, 'operations' | 'intervals' | 'rungs' | 'quota' | 'keyHeader' | 'roles'>;

function compileOperations(document: OpenAPIV3_1.Document, ajv: Ajv2020): Compiled {
  const follow: Follow = (value, place) => followIn(document, value, place);
  const gets = getsIn(document);
  const operations = gets.map(({ path, get }) => compileOperation(follow, ajv, path, get));
  if (!operations.some(({ role }) => role !== 'tokens'))
    throw new Misplaced('/paths', 'no GET here has x-role history or latest; give one of them that role');
  const intervals = intervalsIn(gets, follow);
  const [first] = gets;
  const quota = first
    ? quotaHeadersOf(successHeaders(follow, first.get, first.place), `${first.place}/responses/200/headers`)
    : {};
  const keyHeader = keyHeaderOf(document, follow);
  return {
    operations,
    intervals,
    rungs: rungsOf(intervals),
    quota,
    ...(keyHeader !== undefined && { keyHeader }),
    roles: rolesIn(operations, quota, keyHeader !== undefined),
  };
}

type Get = { readonly path: string; readonly place: string; readonly get: Annotated };

function getsIn(document: OpenAPIV3_1.Document): Get[] {
  return Object.entries(mapAt(document.paths, '/paths')).flatMap(([path, item]) => {
    const place = `/paths/${escapePointer(path)}`;
    const { get } = mapAt(item, place);
    return get === undefined ? [] : [{ path, place: `${place}/get`, get: mapAt(get, `${place}/get`) }];
  });
}

/** A requirement that may be empty is none; a scheme of another kind than a key in a header cannot be met. */
function keyHeaderOf(document: OpenAPIV3_1.Document, follow: Follow): string | undefined {
  const security = listAt(document.security ?? [], '/security').map((each, at) =>
    Object.keys(mapAt(each, `/security/${at}`)),
  );
  if (security.length === 0 || security.some((each) => each.length === 0)) return undefined;
  const place = '/components/securitySchemes';
  const schemes = mapAt(document.components?.securitySchemes ?? {}, place);
  for (const name of security.flatMap((each) => (each.length === 1 ? each : []))) {
    const own = `${place}/${escapePointer(name)}`;
    const scheme = mapAt(follow(schemes[name] ?? {}, own), own);
    if (scheme.type === 'apiKey' && scheme.in === 'header')
      return textAt(scheme.name, `${own}/name`).toLowerCase();
  }
  throw new Misplaced(
    '/security',
    'no scheme here is one apiKey in a header, and no other can be met: name such a scheme',
  );
}

/** Those of the first parameter that is an interval: all operations have the same. */
function intervalsIn(gets: readonly Get[], follow: Follow): NamedInterval[] {
  for (const { get, place } of gets) {
    for (const { parameter, place: own } of parametersOf(follow, get, place)) {
      if (parameter['x-role'] !== 'interval') continue;
      const { schema = {} } = parameter;
      const at = placeOf(schema, `${own}/schema`);
      return intervalsOf(mapAt(follow(schema, at), at), at);
    }
  }
  return [];
}

function rolesIn(operations: readonly Operation[], quota: QuotaHeaders, isKeyed: boolean): Role[] {
  const found = operations.flatMap(({ role, fields, parameters, gaps }): Role[] => [
    role,
    ...(role === 'history' && gaps === 'none' ? (['gapless'] as const) : []),
    ...Object.keys(fields).map((each) =>
      role === 'tokens' ? (`token-${each}` as Role) : (each as CandleRole),
    ),
    ...parameters.flatMap((each) => (each.role === 'inverted' || each.role === 'from' ? [each.role] : [])),
  ]);
  const headers = Object.keys(quota).map((each) => `quota-${each}` as Role);
  return [...new Set<Role>([...found, ...headers, ...(isKeyed ? (['key'] as const) : [])])];
}
