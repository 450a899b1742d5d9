import type { OperationRole } from './document/roles.ts';
import type { SentRequest } from './exchange.ts';
import { type Interval, intervalSeconds } from './interval.ts';
import type { Operation, Parameter, Spec } from './spec.ts';
import { plausibleSeconds } from './tolerances.ts';
import type { OperationId } from './verdict.ts';

/** What a request asked for, read back from its URL: a recording of others has nothing else. */
export type Asked = {
  readonly operation: OperationId;
  readonly role: OperationRole;
  /**
   * The request keeps to the document: GET, each required parameter once, every value within its schema and within
   * reason. Queries of the token list are none that the document shows.
   */
  readonly proper: boolean;
  readonly pool?: number;
  readonly interval?: Interval;
  /** Seconds of that interval. */
  readonly length?: number;
  /** Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  /** Undefined where the parameter was left out. */
  readonly inverted?: boolean;
};

/** The operation that a request meant, or undefined for a URL that is none of the three (§4). */
export function recognise(spec: Spec, baseUrl: string, request: SentRequest): Asked | undefined {
  if (!URL.canParse(request.url) || !request.url.startsWith(`${baseUrl}/`)) return undefined;
  const url = new URL(`https://target.invalid${request.url.slice(baseUrl.length)}`);
  for (const operation of spec.operations) {
    const path = matchPath(operation.path, url.pathname);
    if (path) return readParameters(operation, path, url.searchParams, request.method);
  }
  return undefined;
}

/** Path parameters by name, or undefined when the path is another. One trailing slash makes no difference. */
export function matchPath(template: string, path: string): Map<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.replace(/\/$/, '').split('/');
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

function readParameters(
  operation: Operation,
  path: Map<string, string>,
  query: URLSearchParams,
  method: string,
): Asked {
  const values: Record<string, unknown> = {};
  let proper = method === 'GET';
  for (const parameter of operation.parameters) {
    const given = parameter.in === 'path' ? [path.get(parameter.name) ?? ''] : query.getAll(parameter.name);
    if (given.length === 0 && !parameter.required) continue;
    const value = fromText(given[0] ?? '');
    if (given.length === 1 && parameter.accepts(value)) values[keyOf(parameter)] = value;
    else proper = false;
  }
  const asked = values as Omit<Asked, 'operation' | 'role' | 'proper'>;
  const length = asked.interval && intervalSeconds[asked.interval];
  const isShown = operation.role !== 'tokens' || query.size === 0;
  return {
    ...asked,
    ...(length && { length }),
    operation: operation.id,
    role: operation.role,
    proper: proper && isShown && isReasonable(asked),
  };
}

/** What the schema cannot say: a range has an order and lies in this age, and pools are counted from zero. */
function isReasonable({ pool = 0, from = plausibleSeconds.from, to = from }: Partial<Asked>): boolean {
  return pool >= 0 && from >= plausibleSeconds.from && from <= to && to < plausibleSeconds.to;
}

/** The value that a parameter's text stands for, as JSON would write it. */
function fromText(text: string): unknown {
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

/** What the judge's value of a parameter is called: by its role, else by its name. */
export function keyOf({ role, name }: Parameter): string {
  return role ?? name;
}

/** The path and query of a request with these values, parameters in the order of the spec. */
export function pathOf(operation: Operation, values: Readonly<Record<string, unknown>>): string {
  const text = (parameter: Parameter): string => encodeURIComponent(String(values[keyOf(parameter)]));
  const path = operation.parameters
    .filter((each) => each.in === 'path')
    .reduce((whole, each) => whole.replace(`{${each.name}}`, text(each)), operation.path);
  const query = operation.parameters
    .filter((each) => each.in === 'query' && values[keyOf(each)] !== undefined)
    .map((each) => `${each.name}=${text(each)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}
