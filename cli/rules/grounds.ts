import type { OpenAPIV3_1 } from 'openapi-types';
import { escapePointer } from '../../contract/document/place.ts';
import { tokenRoles } from '../../contract/document/roles.ts';
import type { Ground } from '../../contract/law/rule.ts';

/** Where a document says what rules rest on, as JSON pointers: a role may stand at several places. */
export function placesOf(document: OpenAPIV3_1.Document): ReadonlyMap<Ground, readonly string[]> {
  const places = new Map<Ground, string[]>();
  const add = (ground: Ground, pointer: string): void => {
    const known = places.get(ground) ?? [];
    if (!known.includes(pointer)) places.set(ground, [...known, pointer]);
  };
  add('server', '/servers/0/url');
  for (const name of Object.keys(document.components?.securitySchemes ?? {})) {
    add('key', `/components/securitySchemes/${escapePointer(name)}`);
  }
  for (const [role, pointer] of rolesIn(document, '')) {
    const isOfToken = tokenRoles.some((each) => each === role);
    add((isOfToken ? `token-${role}` : role) as Ground, pointer);
    const [record] = pointer.split('/properties/');
    if (record !== undefined && record !== pointer) add(isOfToken ? 'token' : 'candle', record);
  }
  return places;
}

function* rolesIn(node: unknown, pointer: string): Iterable<readonly [role: string, pointer: string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'x-role') yield [String(value), pointer];
    else yield* rolesIn(value, `${pointer}/${escapePointer(name)}`);
  }
}
