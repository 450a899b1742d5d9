import type { Operation, Parameter, Spec } from './spec.ts';
import { readTime, writeTime } from './times.ts';

/** Needless escapes by RFC 3986: letters, digits and -._~ mean the same without. */
const needlessEscapes = /%(3\d|[46][1-9A-F]|[57][\dA]|2[DE]|5F|7E)/gi;

/** Returns whether a URL escapes a character needlessly. */
export function hasNeedlessEscapes(url: string): boolean {
  return url.search(needlessEscapes) >= 0;
}

/** Returns the decoded path parameters by name; undefined for another path. A slash at the end makes no difference. */
export function matchPath(template: string, path: string): Map<string, string> | undefined {
  const wanted = template.replace(/\/$/, '').split('/');
  const given = path.replace(/\/$/, '').replace(needlessEscapes, decodeURIComponent).split('/');
  const spread = wanted.findIndex((step) => step.startsWith('{+'));
  const surplus = given.length - wanted.length;
  if (spread >= 0 && surplus > 0)
    given.splice(spread, surplus + 1, given.slice(spread, spread + surplus + 1).join('/'));
  if (wanted.length !== given.length) return undefined;
  const found = new Map<string, string>();
  for (const [index, step] of wanted.entries()) {
    const values = matchStep(step, given[index] ?? '');
    if (!values) return undefined;
    for (const [at, [, name = '']] of [...step.matchAll(/\{\+?([^}]+)\}/g)].entries())
      found.set(name, decodeText(values[at] ?? ''));
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

/** Names an operation as a request: method and path template. */
export function requestName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method ?? 'GET'} ${path.replaceAll('{+', '{')}`;
}

/**
 * Builds the path and query of a request with these values, parameters in the document's order, those of headers,
 * cookies and the body among them: `moveParameters` takes them out. A parameter without a role is sent only if the
 * document fixes its value.
 */
export function buildPath(operation: Operation, given: RequestValues): string {
  const values = moveToEnds(operation, given);
  const text = (parameter: Parameter): string => encodeURIComponent(formatValue(parameter, values));
  const path = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (whole, parameter) =>
        whole
          .replace(`{${parameter.name}}`, text(parameter))
          .replace(`{+${parameter.name}}`, text(parameter).replaceAll('%2F', '/')),
      operation.path,
    );
  const query = operation.parameters
    .filter((parameter) => parameter.in !== 'path' && isGiven(parameter, values))
    .map((parameter) => `${queryName(parameter)}=${text(parameter)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Members of a body that always have the same value are left to `moveParameters`. */
function isGiven(parameter: Parameter, values: RequestValues): boolean {
  const isAlways = parameter.in === 'body' && parameter.role === undefined;
  return !isAlways && parameterValue(parameter, values) !== undefined;
}

/** Returns the name of a parameter in a query; those of members of a body may hold any character. */
function queryName({ in: where, name }: Parameter): string {
  return where === 'body' ? encodeURIComponent(name) : name;
}

/** Returns the values with the times of a range as the ends of its rows, if an operation compares it with those. */
function moveToEnds({ lateBy }: Operation, values: RequestValues): RequestValues {
  const late = lateBy?.[String(values.interval)];
  if (late === undefined) return values;
  const moved = (['from', 'to'] as const).flatMap((role) =>
    typeof values[role] === 'number' ? [[role, values[role] + late] as const] : [],
  );
  return { ...values, ...Object.fromEntries(moved) };
}

/** Returns whether a parameter is sent as a header. */
export function isOfHeader({ in: where }: Pick<Parameter, 'in'>): boolean {
  return where === 'header' || where === 'cookie';
}

/** Formats a parameter's value. Times are Unix seconds; text in their place is sent unchanged. */
function formatValue(parameter: Parameter, values: RequestValues): string {
  const { role, unit = 's', zone, accepts } = parameter;
  const value = parameterValue(parameter, values);
  const isTime = role === 'from' || role === 'to' || role === 'since';
  if (!isTime || typeof value !== 'number') return String(value);
  const time = value - excludedSeconds(parameter);
  return writeTime(parameter.isDay ? chooseDay(parameter, time, values) : time, unit, zone, accepts);
}

/** Returns a time in the day that a range ends with: the last one of which it has a part. */
function chooseDay({ role, edge }: Parameter, time: number, { from }: RequestValues): number {
  if (role !== 'to') return time;
  const last = Math.max(time - 1, typeof from === 'number' ? from : 0);
  return edge === 'exclusive' ? last + 86_400 : last;
}

/** Reads a time of a request as Unix seconds; the day that a range ends with belongs to it. */
export function readRequestTime(parameter: Parameter, text: unknown): number {
  const { role, unit = 's', zone, isDay, edge } = parameter;
  const isWhole = isDay && role === 'to' && edge !== 'exclusive';
  const day = String(text).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const next = isWhole ? Date.parse(day) + 86_400_000 : Number.NaN;
  const meant = Number.isFinite(next) ? new Date(next).toISOString().slice(0, 10) : text;
  const excluded = excludedSeconds(parameter);
  const time = readTime(meant, unit, zone) + excluded;
  return excluded === 0 ? time : Math.round(time * 1000) / 1000;
}

/**
 * Returns the seconds by which a range begins after the time in its request: one step of its unit if the start is
 * exclusive. Everywhere else a range begins with the row that starts at its `from`.
 */
function excludedSeconds({ role, edge, unit }: Parameter): number {
  const isExcluded = role === 'since' ? edge !== 'inclusive' : role === 'from' && edge === 'exclusive';
  if (!isExcluded) return 0;
  return /^(ms|us|ns)$/.test([unit].flat()[0] ?? '') ? 0.001 : 1;
}

function parameterValue({ role, required, fixed, parts }: Parameter, values: RequestValues): unknown {
  if (parts && values.interval !== undefined) return parts[String(values.interval)] ?? values.interval;
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
    return steps ? parameters.flatMap(({ role, name }) => (role ? values(name) : [])) : [];
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
