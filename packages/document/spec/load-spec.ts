import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { checkTogether } from './bounded-operations.ts';
import { Compiler, makeAbsolute } from './bounded-schema.ts';
import { compileOperation, successHeaders } from './compile-operation.ts';
import { day } from './interval.ts';
import { compilePattern } from './linear-pattern.ts';
import { listParameters, schemaPlace } from './list-parameters.ts';
import { type PackedSpec, unpackSpec } from './packed-spec.ts';
import { schemaCompiler } from './parsers.ts';
import {
  collect,
  escapePointer,
  type Follow,
  followReference as followIn,
  Misplaced,
  readMember,
  requireMap,
} from './place.ts';
import { type Annotated, readRate } from './read-annotations.ts';
import { readDocument, requireOpenApi } from './read-document.ts';
import { type DescribedOperation, findKeyPlaces, readQuotaHeaders } from './read-fields.ts';
import { readIntervals, readPairedIntervals } from './read-intervals.ts';
import { type CandleRole, matchRungs, type NamedInterval, type QuotaHeaders, type Role } from './roles.ts';
import type { DocumentFiles, Operation, Spec } from './spec.ts';
import { withPlace } from './spec-file.ts';

/** Options of the validator: it reports every departure together with the schema that it departs from. */
export const validation = {
  strict: true,
  // An unknown keyword constrains nothing, and a required member need not be described: the linters warn of them.
  strictSchema: false,
  strictRequired: false,
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

/** Reads and compiles a document; `texts` are those of files that are not written yet, by their names. Throws a SpecError for text that is not YAML or not a usable OpenAPI document. */
export function compileSpec(
  file: string,
  overlays: readonly string[] = [],
  texts: DocumentFiles['texts'] = {},
): Spec {
  const { value, sha256, notes, findPlace } = readDocument({ file, overlays, texts });
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
      ...(notes.length > 0 && { notes }),
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
  const described = listDescribed(document).filter((operation) => isMeant(operation, follow));
  checkTogether(follow, described);
  const keyPlaces = findKeyPlaces(document, described, follow);
  const [compiled, intervals] = collect<[Operation[], NamedInterval[]]>([
    () => collect(described.map((operation) => () => compileOperation(compiler, operation, keyPlaces ?? []))),
    () => findIntervals(described, follow),
  ]);
  const earliest = earliestTime(compiled);
  const operations = compiled.map((operation) => ({ ...operation, earliest }));
  if (!operations.some(({ role }) => role !== 'tokens'))
    throw new Misplaced(
      '/paths',
      `no GET or POST here has x-role history or latest${describeUnused(document)}`,
    );
  const [first] = described;
  const quota = first
    ? readQuotaHeaders(
        successHeaders(follow, first.tags, first.place),
        `${first.place}/responses/200/headers`,
      )
    : {};
  const [key] = keyPlaces ?? [];
  const rate = Math.min(
    ...described.map(({ tags, place }) => readRate(tags, place, document as unknown as Annotated)),
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

/** Names an operation of another method that has a role, which nothing can use; else says what to do. */
function describeUnused(document: OpenAPIV3_1.Document): string {
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const [method, tags] of Object.entries(item ?? {}))
      if (!/^(get|post)$/.test(method) && readMember(tags, 'x-role') !== undefined)
        return `: that of ${method.toUpperCase()} ${path} cannot be used, since only GET and POST may read`;
  return '; give one of them that role, or draft an overlay with the roles: candleproof look --spec FILE --write roles.yaml';
}

/** Lists the operations that may read candles: each GET, and each POST whose role declares that it only reads. */
function listDescribed(document: OpenAPIV3_1.Document): DescribedOperation[] {
  return Object.entries(requireMap(document.paths, '/paths')).flatMap(([path, item]) => {
    const at = `/paths/${escapePointer(path)}`;
    const methods = requireMap(item, at);
    return (['get', 'post'] as const).flatMap((method) => {
      const place = `${at}/${method}`;
      const given = methods[method];
      return given === undefined ? [] : [{ path, method, place, tags: requireMap(given, place) }];
    });
  });
}

/**
 * Returns whether an operation, or a parameter of its own, has a role: other APIs have many operations without one, which
 * may share a parameter with those that have.
 */
function isMeant({ method, tags, place }: DescribedOperation, follow: Follow): boolean {
  if (method === 'post') return tags['x-role'] !== undefined;
  const own = listParameters(follow, tags, place).filter(
    (parameter) => !parameter.place.startsWith('/components/'),
  );
  return [tags, ...own.map(({ parameter }) => parameter)].some((each) => each['x-role'] !== undefined);
}

/** Returns the intervals of the first operation that has any: all operations share them. */
function findIntervals(described: readonly DescribedOperation[], follow: Follow): NamedInterval[] {
  for (const { tags, place } of described) {
    const paired = readPairedIntervals(tags, place);
    if (paired) return paired.map(({ name, seconds }) => ({ name, seconds }));
    const interval = listParameters(follow, tags, place).find(
      ({ parameter }) => parameter['x-role'] === 'interval',
    );
    if (interval) return readIntervals(interval.parameter, schemaPlace(interval));
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
