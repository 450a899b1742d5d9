import { dayMs, hourMs, minuteMs } from './market.ts';

/** Values of a row by their letter, with their role in a document; a time may be the end. */
const roles = { t: 'start', o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' } as const;
type Letter = keyof typeof roles;
const letters = Object.keys(roles) as Letter[];

export type ParameterName = 'pool' | 'interval' | 'from' | 'to' | 'limit';
export type Template = { readonly [name: string]: string | Template };

/** An API as its own documentation describes it: what a request says, and how rows lie in an answer. */
export type OnePage = {
  /** With `{pool}`, `{interval}` and others where they are part of the path. */
  readonly path: string;
  /** Names of the other parameters by role. */
  readonly query: Readonly<Partial<Record<ParameterName, string>>>;
  /** The JSON body of a POST, with `{pool}` and others in place of values. */
  readonly body?: Template;
  /** A header of every request. */
  readonly header?: readonly [name: string, value: string];
  /** Names of the intervals, by default of 5 minutes, an hour and a day. */
  readonly intervals: readonly string[];
  /** Their lengths in milliseconds, and the rows of an answer if they differ. */
  readonly lengths?: readonly number[];
  readonly most?: readonly number[];
  /** Rows are named after their end, with which a range is compared; the open one may be left out. */
  readonly isOfEnds?: true;
  readonly closedOnly?: true;
  /** Units of the times of a request and of a row. */
  readonly timeUnit?: 's' | 'ms' | 'iso';
  readonly unit: 's' | 'ms' | 'iso';
  readonly numbers: 'text' | 'json';
  readonly order: 'oldest first' | 'newest first';
  /** Members that lead to the rows; `0` is a list of one. */
  readonly at: string;
  /** The order of values in a tuple, or the place of each value in an object; without `t`, rows are under their time. */
  readonly row: string | Readonly<Partial<Record<Letter, string>>>;
  /** Values are in columns. */
  readonly isColumns?: true;
};

type Tree = { [step: string]: Tree | { readonly leaf: unknown } };

/** Puts values at the ends of the members that lead to them. */
export function plant(entries: readonly (readonly [at: string, leaf: unknown])[]): Tree {
  const root: Tree = {};
  for (const [at, leaf] of entries) {
    const steps = at.split('.');
    let node = root;
    for (const step of steps.slice(0, -1)) {
      node[step] ??= {};
      node = node[step] as Tree;
    }
    node[steps.at(-1) ?? ''] = { leaf };
  }
  return root;
}

/** Makes objects, and lists of one, of a tree. */
export function grow(tree: Tree | { readonly leaf: unknown }, kind: 'schema' | 'value'): unknown {
  if ('leaf' in tree) return tree.leaf;
  const parts = Object.entries(tree).map(([step, part]) => [step, grow(part as Tree, kind)] as const);
  const [[first, only] = []] = parts;
  if (first === '0') return kind === 'value' ? [only] : { type: 'array', items: only };
  const members = Object.fromEntries(parts);
  return kind === 'value' ? members : { type: 'object', required: Object.keys(members), properties: members };
}

/** The lengths of an API's intervals in milliseconds. */
export function listLengths({ lengths = [5 * minuteMs, hourMs, dayMs] }: OnePage): readonly number[] {
  return lengths;
}

/** Makes what leads to a value, and the value in it. */
export function growTree(at: string, leaf: unknown, kind: 'schema' | 'value'): unknown {
  return at === '' ? leaf : grow(plant([[at, leaf]]), kind);
}

/** Lists the values of a row with their places. */
export function places({ row }: OnePage): (readonly [Letter, string])[] {
  const given = (letter: Letter) => (typeof row === 'string' ? letter : row[letter]);
  const order = typeof row === 'string' ? ([...row] as Letter[]) : letters;
  return order.flatMap((letter) => {
    const place = given(letter);
    return place === undefined ? [] : [[letter, place] as const];
  });
}

/** Writes the document of an API. */
export function writeDocument(api: OnePage): string {
  const {
    path,
    query,
    body,
    header,
    intervals,
    timeUnit = api.unit,
    unit,
    numbers,
    at,
    row,
    isColumns,
  } = api;
  const number = { type: numbers === 'text' ? 'string' : 'number' };
  const field = (letter: Letter) =>
    letter === 't'
      ? {
          'x-role': api.isOfEnds ? 'end' : 'start',
          'x-unit': unit,
          type: unit === 'iso' ? 'string' : 'integer',
        }
      : { 'x-role': roles[letter], ...number };
  const tag = { 'x-role': 'candles' };
  const fields = places(api).map(([letter, place]) => [place, field(letter)] as const);
  const columns = fields.map(([place, { 'x-role': role, ...rest }]) => {
    const { 'x-unit': itsUnit, ...items } = { 'x-unit': undefined, ...rest };
    const timed = itsUnit === undefined ? {} : { 'x-unit': itsUnit };
    return [place, { 'x-role': role, ...timed, type: 'array', items }] as const;
  });
  const record =
    typeof row === 'string'
      ? { type: 'array', prefixItems: fields.map(([, each]) => each) }
      : grow(plant(fields), 'schema');
  const isKeyed = typeof row !== 'string' && row.t === undefined;
  const rows = isColumns
    ? { ...tag, ...(grow(plant(columns), 'schema') as object) }
    : isKeyed
      ? { ...tag, type: 'object', additionalProperties: record }
      : { ...tag, type: 'array', items: record };
  const seconds = listLengths(api).map((length, index) => [intervals[index], length / 1000]);
  const schemas: Readonly<Record<string, object>> = {
    pool: { type: 'string' },
    interval: { type: 'string', enum: intervals, 'x-seconds': Object.fromEntries(seconds) },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
  };
  const time = { type: timeUnit === 'iso' ? 'string' : 'integer' };
  const tagged = (role: string) => ({
    'x-role': role,
    ...(!(role in schemas) && { 'x-unit': timeUnit }),
  });
  const describe = (given: string | Template): object => {
    const role = typeof given === 'string' ? /^\{(\w+)\}$/.exec(given)?.[1] : undefined;
    if (role !== undefined) return { ...tagged(role), ...(schemas[role] ?? time) };
    if (typeof given === 'string') return { const: given };
    const members = Object.entries(given).map(([name, member]) => [name, describe(member)]);
    return { type: 'object', required: Object.keys(given), properties: Object.fromEntries(members) };
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, role = '']) => ({ role, name: role, in: 'path' }));
  const inQuery = Object.entries(query).map(([role, name]) => ({ role, name, in: 'query' }));
  const parameters = [...inPath, ...inQuery].map(({ role, ...place }) => ({
    ...place,
    ...tagged(role),
    required: place.in === 'path' || role === 'pool' || role === 'interval',
    schema: schemas[role] ?? time,
  }));
  const [name, value] = header ?? [];
  const always = header
    ? [{ name, in: 'header', required: true, schema: { type: 'string', const: value } }]
    : [];
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'One page', version: '1' },
    paths: {
      [path]: {
        [body ? 'post' : 'get']: {
          'x-role': 'history',
          'x-max-rows': api.most
            ? Object.fromEntries(api.most.map((most, index) => [intervals[index], most]))
            : 1000,
          parameters: [...parameters, ...always],
          ...(body && { requestBody: { content: { 'application/json': { schema: describe(body) } } } }),
          responses: {
            200: {
              description: 'Rows.',
              content: { 'application/json': { schema: growTree(at, rows, 'schema') } },
            },
          },
        },
      },
    },
  });
}
