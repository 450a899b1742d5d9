import type { Operation, Parameter, Spec } from './spec.ts';
import { writeTime } from './times.ts';

/** Needless escapes by RFC 3986: letters, digits and -._~ mean the same without. */
const needlessEscapes = /%(3\d|[46][1-9A-F]|[57][\dA]|2[DE]|5F|7E)/gi;

/** Returns whether a URL escapes a character needlessly. */
export function hasNeedlessEscapes(url: string): boolean {
  return url.search(needlessEscapes) >= 0;
}

/** Returns the path parameters by name; undefined for another path. A slash at the end makes no difference. */
export function matchPath(template: string, path: string): Map<string, string> | undefined {
  const wanted = template.replace(/\/$/, '').split('/');
  const given = path.replace(/\/$/, '').replace(needlessEscapes, decodeURIComponent).split('/');
  if (wanted.length !== given.length) return undefined;
  const found = new Map<string, string>();
  for (const [index, step] of wanted.entries()) {
    const values = matchStep(step, given[index] ?? '');
    if (!values) return undefined;
    for (const [at, [, name = '']] of [...step.matchAll(/\{([^}]+)\}/g)].entries())
      found.set(name, values[at] ?? '');
  }
  return found;
}

/** Returns the values of a step's parameters, of which it may have several around literal text, such as `{a}:{b}`. */
function matchStep(step: string, text: string): string[] | undefined {
  if (!step.includes('{')) return step === text ? [] : undefined;
  const [first = '', ...literals] = step.split(/\{[^}]+\}/);
  if (!text.startsWith(first)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [index, literal] of literals.entries()) {
    const end = index + 1 < literals.length ? text.indexOf(literal, at) : text.length - literal.length;
    if (end < at || !text.startsWith(literal, end)) return undefined;
    values.push(text.slice(at, end));
    at = end + literal.length;
  }
  return values;
}

/** The values of a request by the parameters' roles. */
export type RequestValues = Readonly<Record<string, unknown>>;

/**
 * Builds the path and query of a request with these values, parameters in the document's order, those of headers and
 * cookies among them: `moveToHeaders` takes them out. A parameter without a role is sent only if the document fixes its
 * value.
 */
export function buildPath(operation: Operation, values: RequestValues): string {
  const text = (parameter: Parameter): string => encodeURIComponent(formatValue(parameter, values));
  const path = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, parameter) => whole.replace(`{${parameter.name}}`, text(parameter)), operation.path);
  const query = operation.parameters
    .filter((parameter) => parameter.in !== 'path' && parameterValue(parameter, values) !== undefined)
    .map((parameter) => `${parameter.name}=${text(parameter)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** A request as it is sent: a path without the parameters of headers and cookies, and those as header lines. */
type SentPath = {
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
};

/** Moves the parameters of headers and cookies from a query to where the document has them; fixed ones always come. */
export function moveToHeaders({ operations }: Pick<Spec, 'operations'>, path: string): SentPath {
  const [place = '', query = ''] = path.split('?');
  const meant = operations.find((operation) => matchPath(operation.path, place));
  const moved = meant?.parameters.filter(isOfHeader) ?? [];
  if (moved.length === 0) return { path, headers: [] };
  const given = new URLSearchParams(query);
  const lines = (where: Parameter['in']): [name: string, value: string][] =>
    moved.flatMap(({ in: own, name, required, fixed }) => {
      const value = given.get(name) ?? (required ? fixed : undefined);
      return own === where && value !== undefined ? [[name, value]] : [];
    });
  const kept = query.split('&').filter((part) => {
    const names = new URLSearchParams(part);
    return part !== '' && !moved.some(({ name }) => names.has(name));
  });
  const cookies = lines('cookie').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    path: kept.length > 0 ? `${place}?${kept.join('&')}` : place,
    headers: [...lines('header'), ...(cookies.length > 0 ? ([['cookie', cookies.join('; ')]] as const) : [])],
  };
}

/** Returns whether a parameter is sent outside the URL. */
export function isOfHeader({ in: where }: Pick<Parameter, 'in'>): boolean {
  return where === 'header' || where === 'cookie';
}

/** Formats a parameter's value. Times are Unix seconds; text in their place is sent unchanged. */
function formatValue(parameter: Parameter, values: RequestValues): string {
  const { role, unit = 's', zone, accepts } = parameter;
  const value = parameterValue(parameter, values);
  const isTime = role === 'from' || role === 'to' || role === 'since';
  if (!isTime || typeof value !== 'number') return String(value);
  return writeTime(value - excludedSeconds(parameter), unit, zone, accepts);
}

/**
 * Returns the seconds by which a range begins after the time in its request: one step of its unit if the start is
 * exclusive. Everywhere else a range begins with the row that starts at its `from`.
 */
export function excludedSeconds({ role, edge, unit }: Parameter): number {
  const isExcluded = role === 'since' ? edge !== 'inclusive' : role === 'from' && edge === 'exclusive';
  if (!isExcluded) return 0;
  return unit === 'ms' ? 0.001 : 1;
}

function parameterValue({ role, required, fixed }: Parameter, values: RequestValues): unknown {
  if (role !== undefined) return values[role === 'since' ? 'from' : role];
  return required ? fixed : undefined;
}

/** Takes the keys out of the query of a URL: they are no parameters of an operation. */
export function dropKeys({ keyPlaces = [] }: Spec, url: URL): void {
  for (const { in: where, name } of keyPlaces) if (where === 'query') url.searchParams.delete(name);
}

/** Lists the decoded values of the parameters with a role in an operation's URL, under any base URL. */
export function listValues({ operations }: Spec, url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, searchParams } = new URL(url);
  return operations.flatMap(({ path, parameters }) => {
    const tail = pathname.split('/').slice(1 - path.split('/').length);
    const steps = matchPath(path, `/${tail.join('/')}`);
    const values = (name: string): string[] => [steps?.get(name) ?? searchParams.getAll(name)].flat();
    return steps ? parameters.flatMap(({ role, name }) => (role ? values(name) : [])).map(decodeText) : [];
  });
}

/** Decodes text of a URL or a cookie, if it can be. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
