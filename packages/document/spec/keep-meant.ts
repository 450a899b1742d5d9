import { followReference, isMap, Misplaced, readMember, splitPointer } from './place.ts';

type Members = Record<string, unknown>;

/**
 * Reduces operations without a role to their names, and takes out the components that only they use, in place: whatever
 * is wrong in them is none of ours. A document that refers into its own paths stays whole.
 */
export function dropUnmeant(document: unknown): void {
  const paths = readMember(document, 'paths');
  if (!isMap(paths) || JSON.stringify(document).includes('"#/paths/')) return;
  for (const [path, given] of Object.entries(paths)) {
    const item = resolve(document, given);
    if (item !== undefined && !isMap(item)) continue;
    const isReference = item !== given;
    const methods = Object.entries(item ?? {}).filter(([name]) => methodNames.has(name));
    const dropped = methods.filter(([, operation]) => isMap(operation) && !isMeant(operation));
    if (item === undefined || (isReference && dropped.length === methods.length)) {
      delete (paths as Members)[path];
      continue;
    }
    if (isReference) continue;
    for (const [method, operation] of dropped) (item as Members)[method] = nameOperation(operation);
  }
  dropUnused(document);
}

const methodNames = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query']);

function resolve(document: unknown, value: unknown): unknown {
  try {
    return followReference(document, value, '');
  } catch (error) {
    if (error instanceof Misplaced) return undefined;
    throw error;
  }
}

/** Returns whether an operation, or a parameter of its own, has a role. */
function isMeant(operation: object): boolean {
  const parameters = readMember(operation, 'parameters');
  const own = Array.isArray(parameters) ? parameters : [];
  return [operation, ...own, ...own.map((each) => readMember(each, 'schema'))].some(
    (each) => readMember(each, 'x-role') !== undefined,
  );
}

/** Keeps what names an operation. */
function nameOperation(operation: unknown): object {
  const names = ['operationId', 'summary'].flatMap((name) => {
    const text = readMember(operation, name);
    return typeof text === 'string' ? [[name, text]] : [];
  });
  return Object.fromEntries(names);
}

/** Takes out the components that nothing in the paths leads to; security schemes are named, not referred to. */
function dropUnused(document: unknown): void {
  const components = readMember(document, 'components');
  if (!isMap(components)) return;
  const used = new Set<string>();
  collectUsed(document, readMember(document, 'paths'), used);
  for (const [kind, members] of Object.entries(components)) {
    if (kind === 'securitySchemes' || !isMap(members)) continue;
    for (const name of Object.keys(members))
      if (!used.has(`${kind}/${name}`)) delete (members as Members)[name];
  }
}

function collectUsed(document: unknown, node: unknown, used: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  const reference = readMember(node, '$ref');
  if (typeof reference === 'string' && reference.startsWith('#/components/')) {
    const [components = '', kind = '', name = ''] = splitPointer(reference.slice(1));
    if (!used.has(`${kind}/${name}`)) {
      used.add(`${kind}/${name}`);
      collectUsed(document, [components, kind, name].reduce<unknown>(readMember, document), used);
    }
  }
  for (const child of Object.values(node)) collectUsed(document, child, used);
}
