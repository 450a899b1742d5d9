import { nameJson, nameSuccess } from './operation.ts';
import { followReference, isMap, readMember } from './place.ts';
import { setMember } from './spec-file.ts';

/**
 * Gives each operation with a role its success under 200 and application/json, in place, where the document has it under
 * another 2xx, 2XX or default, or for any media type. Of the forms of an answer the one with roles is the success.
 */
export function nameResponses(document: unknown): void {
  for (const item of Object.values(readMember(document, 'paths') ?? {}))
    for (const method of ['get', 'post']) {
      const operation = readMember(item, method);
      if (readMember(operation, 'x-role') !== undefined) nameResponse(document, operation);
    }
}

function nameResponse(document: unknown, operation: unknown): void {
  const responses = readMember(operation, 'responses');
  const name = nameSuccess(responses);
  if (!isMap(responses) || name === undefined) return;
  if (name !== '200') setMember(responses, '200', readMember(responses, name));
  const response = followReference(document, readMember(responses, '200'), '');
  const content = readMember(response, 'content');
  const type = nameJson(content);
  if (!isMap(content) || type === undefined) return;
  if (!/json/.test(type)) setMember(content, 'application/json', readMember(content, type));
  chooseForm(document, followReference(document, readMember(readMember(content, type), 'schema'), ''));
}

/** Takes the one form with roles in place of `oneOf` or `anyOf`. */
function chooseForm(document: unknown, schema: unknown): void {
  if (!isMap(schema)) return;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const forms = readMember(schema, keyword);
    const marked = Array.isArray(forms) ? forms.filter((form) => hasRole(document, form)) : [];
    if (marked.length !== 1) continue;
    Reflect.deleteProperty(schema, keyword);
    setMember(schema, 'allOf', [readMember(schema, 'allOf') ?? [], marked].flat());
  }
}

/** Levels of a schema in which a role is searched; references may form a circle. */
const deepest = 12;

function hasRole(document: unknown, given: unknown, depth = 0): boolean {
  if (typeof given !== 'object' || given === null || depth > deepest) return false;
  const value = followReference(document, given, '');
  if (readMember(given, 'x-role') !== undefined || readMember(value, 'x-role') !== undefined) return true;
  return Object.values(value as object).some((child) => hasRole(document, child, depth + 1));
}
