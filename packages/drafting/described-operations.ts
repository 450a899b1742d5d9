import { readMember } from '@candleproof/document/spec/place';
import { type DocumentNode, listNodes, memberNode, readTags, resolveNode } from './document-nodes.ts';

/** A GET of a document, with its path. */
export type DescribedGet = {
  readonly path: string;
  readonly item: DocumentNode;
  readonly node: DocumentNode;
};

/** Lists the GETs of a document that have no role so far. */
export function listGets(root: unknown): DescribedGet[] {
  return listNodes({ value: readMember(root, 'paths'), at: ['paths'] }).flatMap(({ name, ...listed }) => {
    const item = resolveNode(root, listed);
    const node = memberNode(root, item, 'get');
    return node && readTags(root, node)['x-role'] === undefined ? [{ path: name, item, node }] : [];
  });
}

/** Returns the values of a path's parameters in a URL, and those of its query; undefined if the URL is of another path. */
export function matchPath(path: string, url: URL): Readonly<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pattern = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'))
    .join('([^/]+)');
  const match = new RegExp(`${pattern}$`).exec(decodePath(url.pathname));
  if (!match) return undefined;
  return {
    ...Object.fromEntries(url.searchParams),
    ...Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ''])),
  };
}

/** A path that is no proper UTF-8 stays as it is. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Returns the example of an answer. */
export function readBodyExample(root: unknown, content: DocumentNode): unknown {
  const { example, examples } = readTags(root, content);
  if (example !== undefined) return example;
  const [first] = listNodes(examples === undefined ? undefined : memberNode(root, content, 'examples'));
  return first && readTags(root, first).value;
}
