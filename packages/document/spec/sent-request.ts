import { findMember } from '../layout/layout.ts';
import { isOfHeader, matchPath } from './request-path.ts';
import type { Operation, Parameter, Spec } from './spec.ts';

/** A request as it is sent: a path without the parameters of headers, cookies and the body, and those in their place. */
export type SentParts = {
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** GET if absent. */
  readonly method?: 'POST';
  /** JSON. */
  readonly body?: string;
};

/** Moves the parameters of headers, cookies and bodies from a query to where the document has them, with the fixed ones. */
export function moveParameters({ operations }: Pick<Spec, 'operations'>, path: string): SentParts {
  const [place = '', query = ''] = path.split('?');
  const meant = operations.find((operation) => matchPath(operation.path, place));
  const moved = meant?.parameters.filter(isMoved) ?? [];
  const isRead = meant?.method === undefined;
  if (!meant || (moved.length === 0 && isRead)) return { path, headers: [] };
  const given = new URLSearchParams(query);
  const kept = query.split('&').filter((part) => {
    const names = new URLSearchParams(part);
    return part !== '' && !moved.some(({ name }) => names.has(name));
  });
  const body = writeBody(meant, given);
  return {
    path: kept.length > 0 ? `${place}?${kept.join('&')}` : place,
    headers: [
      ...writeHeaders(moved, given),
      ...(body === undefined ? [] : ([['content-type', 'application/json']] as const)),
    ],
    ...(!isRead && { method: meant.method }),
    ...(body !== undefined && { body }),
  };
}

function isMoved(parameter: Parameter): boolean {
  return isOfHeader(parameter) || parameter.in === 'body';
}

function findText({ name, required, fixed }: Parameter, given: URLSearchParams): string | undefined {
  return given.get(name) ?? (required ? fixed : undefined);
}

function writeHeaders(moved: readonly Parameter[], given: URLSearchParams): SentParts['headers'] {
  const lines = (where: Parameter['in']): [name: string, value: string][] =>
    moved.flatMap((parameter) => {
      const value = parameter.in === where ? findText(parameter, given) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    });
  const cookies = lines('cookie').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return [...lines('header'), ...(cookies.length > 0 ? ([['cookie', cookies.join('; ')]] as const) : [])];
}

type Members = { [name: string]: unknown };

/** Makes an object in which any name of a document is a plain member. */
function makeMembers(): Members {
  return Object.create(null);
}

/** Writes the body of a request, its members in the order of the query; undefined if the document has none. */
function writeBody({ parameters }: Operation, given: URLSearchParams): string | undefined {
  const members = parameters.filter((parameter) => parameter.in === 'body');
  if (members.length === 0) return undefined;
  const names = [...given.keys()];
  const ordered = members.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
  const body = makeMembers();
  for (const member of ordered) {
    const text = findText(member, given);
    if (text !== undefined) plant(body, member.at ?? [], readText(member, text));
  }
  return JSON.stringify(body, (_, value: unknown) => readList(value));
}

/** Members that are named by the places of a list are its items. */
function readList(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((name, at) => name === String(at));
  return isList ? Object.values(value) : value;
}

function plant(body: Members, at: readonly string[], value: unknown): void {
  const [last = '', ...before] = at.toReversed();
  let around = body;
  for (const step of before.toReversed()) {
    around[step] ??= makeMembers();
    around = around[step] as Members;
  }
  around[last] = value;
}

/** Reads text as the JSON value that a member takes; text that it refuses stays text. */
function readText({ accepts }: Parameter, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return accepts(value) ? value : text;
  } catch {
    return text;
  }
}

/** Returns the text of a member of a JSON body, as a list; empty if it is left out or the body is no JSON. */
export function findTexts(body: string | undefined, at: readonly string[]): string[] {
  try {
    const value = body === undefined ? undefined : findMember(JSON.parse(body), at);
    return value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
  } catch {
    return [];
  }
}

/** Lists the values of a body that have a role. */
export function listBodyValues({ operations }: Pick<Spec, 'operations'>, body: string | undefined): string[] {
  const members = operations.flatMap(({ parameters }) =>
    parameters.filter(({ in: where }) => where === 'body'),
  );
  return members.flatMap(({ role, at = [] }) => (role === undefined ? [] : findTexts(body, at)));
}
