import { type Bar, dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, type Venue, type Writer } from './venue.ts';

/** Values of a row by their letter, with their role in a document. */
const roles = { t: 'start', o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' } as const;
type Letter = keyof typeof roles;
const letters = Object.keys(roles) as Letter[];

/** An API as its own documentation describes it: what a request says, and how rows lie in an answer. */
export type OnePage = {
  /** With `{pool}`, `{interval}` and others where they are part of the path. */
  readonly path: string;
  /** Names of the other parameters by role. */
  readonly query: Readonly<Partial<Record<'pool' | 'interval' | 'from' | 'to' | 'limit', string>>>;
  /** A header of every request. */
  readonly header?: readonly [name: string, value: string];
  /** Names of the intervals of 5 minutes, an hour and a day, as far as there are such. */
  readonly intervals: readonly [minutes: string, hour: string, day: string];
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

function plant(entries: readonly (readonly [at: string, leaf: unknown])[]): Tree {
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
function grow(tree: Tree | { readonly leaf: unknown }, kind: 'schema' | 'value'): unknown {
  if ('leaf' in tree) return tree.leaf;
  const parts = Object.entries(tree).map(([step, part]) => [step, grow(part as Tree, kind)] as const);
  const [[first, only] = []] = parts;
  if (first === '0') return kind === 'value' ? [only] : { type: 'array', items: only };
  const members = Object.fromEntries(parts);
  return kind === 'value' ? members : { type: 'object', required: Object.keys(members), properties: members };
}

function growTree(at: string, leaf: unknown, kind: 'schema' | 'value'): unknown {
  return at === '' ? leaf : grow(plant([[at, leaf]]), kind);
}

function places({ row }: OnePage): (readonly [Letter, string])[] {
  const given = (letter: Letter) => (typeof row === 'string' ? letter : row[letter]);
  const order = typeof row === 'string' ? ([...row] as Letter[]) : letters;
  return order.flatMap((letter) => {
    const place = given(letter);
    return place === undefined ? [] : [[letter, place] as const];
  });
}

/** Writes the document of an API. */
export function writeDocument(api: OnePage): string {
  const { path, query, header, intervals, timeUnit = api.unit, unit, numbers, at, row, isColumns } = api;
  const number = { type: numbers === 'text' ? 'string' : 'number' };
  const field = (letter: Letter) =>
    letter === 't'
      ? { 'x-role': 'start', 'x-unit': unit, type: unit === 'iso' ? 'string' : 'integer' }
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
  const seconds = [5 * minuteMs, hourMs, dayMs].map((length, index) => [intervals[index], length / 1000]);
  const schemas: Readonly<Record<string, object>> = {
    pool: { type: 'string' },
    interval: { type: 'string', enum: intervals, 'x-seconds': Object.fromEntries(seconds) },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
  };
  const time = { type: timeUnit === 'iso' ? 'string' : 'integer' };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, role = '']) => ({ role, name: role, in: 'path' }));
  const inQuery = Object.entries(query).map(([role, name]) => ({ role, name, in: 'query' }));
  const parameters = [...inPath, ...inQuery].map(({ role, ...place }) => ({
    ...place,
    'x-role': role,
    ...(!(role in schemas) && { 'x-unit': timeUnit }),
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
        get: {
          'x-role': 'history',
          'x-max-rows': 1000,
          parameters: [...parameters, ...always],
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

/** Plays an API. */
export function playApi(api: OnePage): Venue {
  const {
    path,
    query: names,
    header,
    intervals,
    timeUnit = api.unit,
    unit,
    numbers,
    order,
    at,
    row,
    isColumns,
  } = api;
  const pools = ['AAA-USD', 'BBB-USD'] as const;
  const template = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const refuse = (): never => {
    throw new Refused(400, { error: 'bad request' });
  };
  const readTime = (text: string | null | undefined): number | undefined => {
    if (text === null || text === undefined) return undefined;
    const time = timeUnit === 'iso' ? Date.parse(text) : Number(text) * (timeUnit === 's' ? 1000 : 1);
    return Number.isFinite(time) ? time : refuse();
  };
  const write = (bar: Bar, { time, price, amount }: Writer): unknown => {
    const values = { t: time(bar.start), v: amount(bar.volume), ...pick(bar, price) };
    const entries = places(api).map(([letter, place]) => [place, values[letter]] as const);
    if (isColumns) return entries;
    const written =
      typeof row === 'string' ? entries.map(([, value]) => value) : grow(plant(entries), 'value');
    return typeof row !== 'string' && row.t === undefined ? [values.t, written] : written;
  };
  return {
    pools,
    forms: { numbers, unit, times: 'json' },
    idle: 'flat',
    order,
    headers: () => ({ 'cache-control': 'no-store' }),
    read: (request) => {
      const match = template.exec(request.path);
      if (!match) throw new Refused(404, { error: 'no such path' });
      const given = match.groups ?? {};
      if (header && request.headers?.[header[0].toLowerCase()] !== header[1]) refuse();
      const text = (role: keyof typeof names): string | null | undefined =>
        given[role] ?? (names[role] === undefined ? undefined : request.query.get(names[role]));
      const pool = pools.find((name) => name === text('pool')) ?? refuse();
      const length = [5 * minuteMs, hourMs, dayMs][intervals.indexOf(text('interval') ?? '')] ?? refuse();
      const limit = Number(text('limit') ?? (names.limit === undefined ? 1000 : 500));
      if (!(Number.isInteger(limit) && limit > 0 && limit <= 1000)) refuse();
      const [from, to] = [readTime(text('from')), readTime(text('to'))];
      return { pool, length, limit, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    },
    write,
    wrap: (rows) => growTree(at, gather(api, rows), 'value'),
  };
}

function pick({ open, high, low, close }: Bar, price: Writer['price']) {
  return { o: price(open), h: price(high), l: price(low), c: price(close) };
}

function gather(api: OnePage, rows: readonly unknown[]): unknown {
  const { isColumns, row } = api;
  if (isColumns) {
    const written = rows as readonly (readonly (readonly [string, unknown])[])[];
    const columns = places(api).map(
      ([, place], at) => [place, written.map((each) => each[at]?.[1])] as const,
    );
    return grow(plant(columns), 'value');
  }
  return typeof row !== 'string' && row.t === undefined
    ? Object.fromEntries(rows as readonly (readonly [string, unknown])[])
    : rows;
}
