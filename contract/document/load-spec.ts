import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { Compiler, makeAbsolute } from './bounded-schema.ts';
import { compileOperation, successHeaders } from './compile-operation.ts';
import { listParameters } from './compile-parameters.ts';
import { day } from './interval.ts';

import { compilePattern } from './linear-pattern.ts';
import { type PackedSpec, unpackSpec } from './packed-spec.ts';
import { schemaCompiler } from './parsers.ts';
import {
  collect,
  escapePointer,
  type Follow,
  followReference as followIn,
  Misplaced,
  requireMap,
  resolvePlace,
} from './place.ts';
import { type Annotated, readIntervals, readRate } from './read-annotations.ts';
import { readDocument, requireOpenApi } from './read-document.ts';
import { findKeyPlaces, type GetOperation, readQuotaHeaders } from './read-fields.ts';
import { type CandleRole, matchRungs, type NamedInterval, type QuotaHeaders, type Role } from './roles.ts';
import type { Operation, Spec } from './spec.ts';
import { withPlace } from './spec-file.ts';

/** Options of the validator: it reports every departure together with the schema that it departs from. */
export const validation = {
  strict: true,
  // A tuple may be open at its end, a keyword may come without its type, and a format is not a type.
  strictTuples: false,
  strictTypes: false,
  allowUnionTypes: true,
  validateFormats: false,
  // Keywords check their values, and the linters check the rest; compiling the meta-schema would double the load time.
  validateSchema: false,
  allErrors: true,
  verbose: true,
} as const;

/** Holds the published document as `packSpec` compiles it, which takes a sixth of a check's processor time. */
export const packedFile = new URL('./packed.json', import.meta.url);

/** Returns a document: the published one as it was packed, another compiled. Throws as compileSpec does. */
export function loadSpec(file: string, overlays: readonly string[] = []): Spec {
  if (overlays.length > 0) return compileSpec(file, overlays);
  const packed: PackedSpec = JSON.parse(readFileSync(packedFile, 'utf8'));
  const isPacked = hash('sha256', readFileSync(file)) === packed.sha256;
  return isPacked ? unpackSpec({ ...packed, file }) : compileSpec(file);
}

/** Reads and compiles a document. Throws a SpecError for text that is not YAML or not a usable OpenAPI document. */
export function compileSpec(file: string, overlays: readonly string[] = []): Spec {
  const { value, sha256, findPlace } = readDocument({ file, overlays });
  const document = requireOpenApi(value, file);
  return withPlace(findPlace, () => {
    const ajv = new (schemaCompiler())({ ...validation, code: { regExp: linearEngine } });
    ajv.addVocabulary(listExtensions(document));
    const schemas = requireMap(document.components?.schemas ?? {}, '/components/schemas');
    ajv.addSchema(makeAbsolute({ $id: 'spec', $defs: schemas }));
    const isOurs = 'x-sections' in document.info;
    return {
      ...{ file, sha256, document, isOurs },
      ...(overlays.length > 0 && { overlays }),
      ...compileOperations(document, ajv),
    };
  });
}

const silentKeywords = ['example', 'externalDocs', 'xml', 'discriminator'];

/** Matches in linear time, whatever pattern a document holds. */
const linearEngine = Object.assign(compilePattern, { code: 'linearPattern' });

/** Lists the keywords of OpenAPI and the names of the document's extensions, which do not constrain shapes. */
export function listExtensions(document: OpenAPIV3_1.Document): string[] {
  const extensions = JSON.stringify(document).matchAll(/"(x-[\w-]+)":/g);
  return [...new Set([...extensions].map(([, name = '']) => name)), ...silentKeywords];
}

type Compiled = Pick<
  Spec,
  'operations' | 'intervals' | 'rungs' | 'quota' | 'ratePerMinute' | 'keyHeader' | 'keyPlaces' | 'roles'
>;

function compileOperations(document: OpenAPIV3_1.Document, ajv: Ajv2020): Compiled {
  const follow: Follow = (value, place) => followIn(document, value, place);
  const compiler = new Compiler(follow, ajv);
  const gets = listGets(document).filter((get) => isMeant(get, follow));
  const keyPlaces = findKeyPlaces(document, gets, follow);
  const [compiled, intervals] = collect<[Operation[], NamedInterval[]]>([
    () =>
      collect(
        gets.map(
          ({ path, get }) =>
            () =>
              compileOperation(compiler, path, get, keyPlaces ?? []),
        ),
      ),
    () => findIntervals(gets, follow),
  ]);
  const earliest = earliestTime(compiled);
  const operations = compiled.map((operation) => ({ ...operation, earliest }));
  if (!operations.some(({ role }) => role !== 'tokens'))
    throw new Misplaced('/paths', 'no GET here has x-role history or latest; give one of them that role');
  const [first] = gets;
  const quota = first
    ? readQuotaHeaders(successHeaders(follow, first.get, first.place), `${first.place}/responses/200/headers`)
    : {};
  const [key] = keyPlaces ?? [];
  const rate = Math.min(
    ...gets.map(({ get, place }) => readRate(get, place, document as unknown as Annotated)),
  );
  return {
    operations,
    intervals,
    rungs: matchRungs(intervals),
    quota,
    ...(Number.isFinite(rate) && { ratePerMinute: rate }),
    ...(key?.in === 'header' && { keyHeader: key.name }),
    keyPlaces,
    roles: listRoles(operations, quota, keyPlaces !== undefined),
  };
}

/**
 * Returns the Unix seconds before which no time is plausible: a year before the first row of any pool, since some
 * requests begin before it on purpose; 1970 if the document names no such day.
 */
function earliestTime(operations: readonly Operation[]): number {
  const first = Math.min(...operations.map(({ since = Number.POSITIVE_INFINITY }) => since));
  return Number.isFinite(first) ? Math.max(0, first - 365 * day) : 0;
}

function listGets(document: OpenAPIV3_1.Document): GetOperation[] {
  return Object.entries(requireMap(document.paths, '/paths')).flatMap(([path, item]) => {
    const place = `/paths/${escapePointer(path)}`;
    const { get } = requireMap(item, place);
    return get === undefined ? [] : [{ path, place: `${place}/get`, get: requireMap(get, `${place}/get`) }];
  });
}

/**
 * Returns whether an operation, or a parameter of its own, has a role: other APIs have many operations without one, which
 * may share a parameter with those that have.
 */
function isMeant({ get, place }: GetOperation, follow: Follow): boolean {
  const own = listParameters(follow, get, place).filter(
    (parameter) => !parameter.place.startsWith('/components/'),
  );
  return [get, ...own.map(({ parameter }) => parameter)].some((tags) => tags['x-role'] !== undefined);
}

/** Returns the intervals of the first interval parameter: all operations share them. */
function findIntervals(gets: readonly GetOperation[], follow: Follow): NamedInterval[] {
  for (const { get, place } of gets) {
    for (const { parameter, place: parameterPlace } of listParameters(follow, get, place)) {
      if (parameter['x-role'] !== 'interval') continue;
      return readIntervals(parameter, resolvePlace(parameter.schema, `${parameterPlace}/schema`));
    }
  }
  return [];
}

function listRoles(operations: readonly Operation[], quota: QuotaHeaders, isKeyed: boolean): Role[] {
  const found = operations.flatMap(({ role, fields, parameters, gaps, fresh }): Role[] => [
    role,
    ...(fresh === undefined ? [] : (['fresh'] as const)),
    ...(role === 'history' && gaps === 'none' ? (['gapless'] as const) : []),
    ...Object.keys(fields).map((field) =>
      role === 'tokens' ? (`token-${field}` as Role) : (field as CandleRole),
    ),
    ...parameters.flatMap((parameter) =>
      parameter.role === 'inverted' || parameter.role === 'from' ? [parameter.role] : [],
    ),
  ]);
  const headers = Object.keys(quota).map((name) => `quota-${name}` as Role);
  return [...new Set<Role>([...found, ...headers, ...(isKeyed ? (['key'] as const) : [])])];
}
