import type { OpenAPIV3_1 } from 'openapi-types';
import {
  collect,
  escapePointer,
  type Follow,
  Misplaced,
  requireList,
  requireMap,
  requireText,
} from './place.ts';
import { type Annotated, missingPart, readChoice, readTimeUnit, readTimeZone } from './read-annotations.ts';
import {
  type CandleRole,
  candleRoles,
  type FieldForms,
  type FieldNames,
  type QuotaHeaders,
  type QuotaRole,
  quotaRoles,
  requiredCandleRoles,
  type TimeForm,
  type TokenRole,
  tokenRoles,
} from './roles.ts';
import type { KeyPlace } from './spec.ts';

/** Reads a candle's fields by role, and their forms. Throws Misplaced if a required one is missing. */
export function readCandleFields(
  properties: Readonly<Record<string, Annotated>>,
  place: string,
): { fields: FieldNames<CandleRole>; forms: FieldForms } & ReturnType<typeof readTimeZone> {
  const fields = fieldsByRole(candleRoles, properties, place);
  const require = (isThere: boolean, roles: string) => (): void => {
    if (!isThere) throw missingPart(place, `a field with x-role ${roles}`);
  };
  collect([
    require(fields.start !== undefined || fields.end !== undefined, 'start or end'),
    ...requiredCandleRoles.map((role) => require(fields[role] !== undefined, role)),
  ]);
  const zones = [fields.start, fields.end].map((name = '') =>
    readTimeZone(properties[name] ?? {}, `${place}/${escapePointer(name)}`),
  );
  return { fields, forms: candleForms(fields, properties, place), ...zones.find(({ zone }) => zone) };
}

/** Reads a token's fields by role. */
export function readTokenFields(properties: Annotated, place: string): FieldNames<TokenRole> {
  return fieldsByRole(tokenRoles, properties, place);
}

function fieldsByRole<Role extends string>(
  roles: readonly Role[],
  properties: Annotated,
  place: string,
): FieldNames<Role> {
  const fields: Partial<Record<Role, string>> = {};
  for (const [name, property] of Object.entries(properties)) {
    const propertyPlace = `${place}/${escapePointer(name)}`;
    const role = readChoice(roles, property as Annotated, 'x-role', propertyPlace);
    if (role === undefined) continue;
    if (fields[role] !== undefined)
      throw new Misplaced(propertyPlace, `x-role ${role} is that of ${fields[role]} too; keep one`);
    fields[role] = name;
  }
  return fields;
}

function candleForms(fields: FieldNames<CandleRole>, properties: Annotated, place: string): FieldForms {
  const forms: Partial<Record<CandleRole, TimeForm | 'text'>> = {};
  for (const [role, name] of Object.entries(fields) as [CandleRole, string][]) {
    const property = properties[name] as Annotated;
    const unit = readTimeUnit(property, `${place}/${escapePointer(name)}`);
    if (role === 'start' || role === 'end') {
      if (unit !== 's') forms[role] = unit;
    } else if ([property.type].flat().includes('string')) forms[role] = 'text';
  }
  return forms;
}

/** Reads the names of the quota headers by role. */
export function readQuotaHeaders(headers: Readonly<Record<string, Annotated>>, place: string): QuotaHeaders {
  const roles = quotaRoles.map((quotaRole) => `quota-${quotaRole}` as const);
  const names: Partial<Record<QuotaRole, string>> = {};
  for (const [role, name] of Object.entries(fieldsByRole(roles, headers, place))) {
    names[role.slice('quota-'.length) as QuotaRole] = name.toLowerCase();
    const headerPlace = `${place}/${escapePointer(name)}`;
    if (role === 'quota-reset' && readTimeUnit(headers[name] ?? {}, headerPlace) !== 'ms')
      throw new Misplaced(
        headerPlace,
        'a quota-reset is read in milliseconds alone: write x-unit ms, or leave its role out',
      );
  }
  return names;
}

/** A GET or POST of a document, with its path and its place. */
export type DescribedOperation = {
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly place: string;
  readonly tags: Annotated;
};

/** Returns the places of the keys, or undefined if the security requirement of every operation may be empty. */
export function findKeyPlaces(
  document: OpenAPIV3_1.Document,
  described: readonly DescribedOperation[],
  follow: Follow,
): KeyPlace[] | undefined {
  const found = described.map(({ tags, place }) => {
    const at = tags.security === undefined ? '/security' : `${place}/security`;
    const security = requireList(tags.security ?? document.security ?? [], at);
    return {
      at,
      names: security.map((requirement, index) => Object.keys(requireMap(requirement, `${at}/${index}`))),
    };
  });
  const needing = found.find(({ names }) => names.length > 0 && names.every((name) => name.length > 0));
  if (!needing) return undefined;
  for (const names of needing.names) {
    const places = names.flatMap((name) => readKeyPlace(document, name, follow) ?? []);
    if (places.length === names.length) return places;
  }
  throw new Misplaced(
    needing.at,
    'no requirement here can be met: name schemes that are an apiKey in a header or in the query, or http bearer or basic',
  );
}

/** Returns the place of a scheme's key; undefined for a scheme that cannot be met. */
function readKeyPlace(document: OpenAPIV3_1.Document, scheme: string, follow: Follow): KeyPlace | undefined {
  const place = '/components/securitySchemes';
  const schemePlace = `${place}/${escapePointer(scheme)}`;
  const schemes = requireMap(document.components?.securitySchemes ?? {}, place);
  const {
    type,
    in: where,
    name,
    scheme: kind,
    ...given
  } = requireMap(follow(schemes[scheme] ?? {}, schemePlace), schemePlace);
  if (type === 'http' && String(kind).toLowerCase() === 'bearer')
    return { scheme, in: 'header', name: 'authorization', prefix: 'Bearer ' };
  if (type === 'http' && String(kind).toLowerCase() === 'basic')
    return { scheme, in: 'header', name: 'authorization', prefix: 'Basic ' };
  if (type !== 'apiKey' || (where !== 'header' && where !== 'query')) return undefined;
  const { 'x-prefix': prefix = '' } = given;
  if (typeof prefix !== 'string' || !/^[\x20-\x7e]{0,40}$/.test(prefix))
    throw new Misplaced(
      `${schemePlace}/x-prefix`,
      'x-prefix is the text before the key: give at most 40 ASCII characters',
    );
  const text = requireText(name, `${schemePlace}/name`);
  return { scheme, in: where, name: where === 'header' ? text.toLowerCase() : text, prefix };
}
