import { isMap, readMember, splitPointer } from '@candleproof/document/spec/place';

/** A member of an object by its name, or an element of a list by its position. */
export type DocumentStep = string | number;

/** A part of a document, with the members that lead to it. */
export type DocumentNode = { readonly value: unknown; readonly at: readonly DocumentStep[] };

/** Longer chains of references are circles. */
const mostHops = 20;

/** Returns the part of a document that references at a node lead to; the last one of a chain that leads nowhere. */
export function resolveNode(root: unknown, node: DocumentNode): DocumentNode {
  let found = node;
  for (let hop = 0; hop < mostHops; hop++) {
    const reference = readMember(found.value, '$ref');
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return found;
    found = splitPointer(reference.slice(1)).reduce<DocumentNode>(step, { value: root, at: [] });
  }
  return found;
}

function step({ value, at }: DocumentNode, name: string): DocumentNode {
  return { value: readMember(value, name), at: [...at, Array.isArray(value) ? Number(name) : name] };
}

/** Returns a member of a node, behind the references that lead to the node; undefined if there is none. */
export function memberNode(
  root: unknown,
  node: DocumentNode,
  ...names: readonly string[]
): DocumentNode | undefined {
  let found = resolveNode(root, node);
  for (const [index, name] of names.entries()) {
    const member = step(found, name);
    if (member.value === undefined) return undefined;
    found = index < names.length - 1 ? resolveNode(root, member) : member;
  }
  return found;
}

/** Lists the members of an object, or the elements of a list. */
export function listNodes(node: DocumentNode | undefined): (DocumentNode & { readonly name: string })[] {
  if (typeof node?.value !== 'object' || node.value === null) return [];
  return Object.keys(node.value).map((name) => ({ name, ...step(node, name) }));
}

/** Returns the members of a node and of what it refers to. */
export function readTags(root: unknown, node: DocumentNode): Readonly<Record<string, unknown>> {
  const { value } = resolveNode(root, node);
  return { ...(isMap(value) ? value : {}), ...(isMap(node.value) ? node.value : {}) };
}

/** Writes the JSONPath of a node. */
export function writeJsonPath(at: readonly DocumentStep[]): string {
  return at.reduce<string>((path, each) => {
    if (typeof each === 'number') return `${path}[${each}]`;
    if (/^[A-Za-z_]\w*$/.test(each)) return `${path}.${each}`;
    return `${path}['${each.replace(/[\\']/g, '\\$&')}']`;
  }, '$');
}
