import type { Operation, Parameter } from './spec.ts';
import { writeTime } from './times.ts';

/** Needless escapes by RFC 3986: letters, digits and -._~ mean the same without. */
const needlessEscapes = /%(3\d|[46][1-9A-F]|[57][\dA]|2[DE]|5F|7E)/gi;

/** Tells whether a URL escapes a character needlessly. */
export function hasNeedlessEscapes(url: string): boolean {
  return url.search(needlessEscapes) >= 0;
}

/** Returns the path parameters by name; undefined for another path. One slash more or less at the end makes no difference. */
export function matchPath(template: string, path: string): Map<string, string> | undefined {
  const wanted = template.replace(/\/$/, '').split('/');
  const given = path.replace(/\/$/, '').replace(needlessEscapes, decodeURIComponent).split('/');
  if (wanted.length !== given.length) return undefined;
  const found = new Map<string, string>();
  for (const [index, step] of wanted.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(step)?.[1];
    if (name === undefined && step !== text) return undefined;
    if (name !== undefined) found.set(name, text);
  }
  return found;
}

/** Returns the judge's key for a parameter: its role, else its name. */
export function parameterKey({ role, name }: Parameter): string {
  return role ?? name;
}

/** Builds the path and query of a request with these values, parameters in the document's order. */
export function buildPath(operation: Operation, values: Readonly<Record<string, unknown>>): string {
  const text = (parameter: Parameter): string => encodeURIComponent(formatValue(parameter, values));
  const path = operation.parameters
    .filter((each) => each.in === 'path')
    .reduce((whole, each) => whole.replace(`{${each.name}}`, text(each)), operation.path);
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (values[parameterKey(each)] ?? each.fixed) !== undefined)
    .map((each) => `${each.name}=${text(each)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Formats a parameter's value. Times are Unix seconds; text in their place is sent unchanged. */
function formatValue(parameter: Parameter, values: Readonly<Record<string, unknown>>): string {
  const { role, unit = 's', zone, fixed, accepts } = parameter;
  const value = values[parameterKey(parameter)] ?? fixed;
  const isTime = role === 'from' || role === 'to';
  return isTime && typeof value === 'number' ? writeTime(value, unit, zone, accepts) : String(value);
}
