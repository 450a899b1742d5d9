import type { Bar } from './market.ts';
import { grow, growTree, listLengths, type OnePage, places, plant, type Template } from './one-page.ts';
import { Refused, type Venue, type Writer } from './venue.ts';

/** Plays an API. */
export function playApi(api: OnePage): Venue {
  const {
    path,
    query: names,
    body,
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
  const template = new RegExp(
    `^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)').replace('(?<interval>[^/]+)', '(?<interval>.+)')}$`,
  );
  const refuse = (): never => {
    throw new Refused(400, { error: 'bad request' });
  };
  const readTime = (text: string | null | undefined): number | undefined => {
    if (text === null || text === undefined) return undefined;
    const time = timeUnit === 'iso' ? Date.parse(text) : Number(text) * (timeUnit === 's' ? 1000 : 1);
    return Number.isFinite(time) ? time : refuse();
  };
  const write = (bar: Bar, { time, price, amount }: Writer): unknown => {
    const values = {
      t: time(api.isOfEnds ? bar.end : bar.start),
      v: amount(bar.volume),
      ...pick(bar, price),
    };
    const entries = places(api).map(([letter, place]) => [place, values[letter]] as const);
    if (isColumns) return entries;
    const written =
      typeof row === 'string' ? entries.map(([, value]) => value) : grow(plant(entries), 'value');
    return typeof row !== 'string' && row.t === undefined ? [values.t, written] : written;
  };
  return {
    pools,
    isPosted: body !== undefined,
    forms: { numbers, unit, times: 'json' },
    idle: 'flat',
    order,
    headers: () => ({ 'cache-control': 'no-store' }),
    read: (request) => {
      const match = template.exec(request.path);
      if (!match) throw new Refused(404, { error: 'no such path' });
      const given = { ...match.groups, ...(body && readBody(body, request.body, refuse)) };
      if (header && request.headers?.[header[0].toLowerCase()] !== header[1]) refuse();
      const text = (role: keyof typeof names): string | null | undefined =>
        given[role] ?? (names[role] === undefined ? undefined : request.query.get(names[role]));
      const pool = pools.find((name) => name === text('pool')) ?? refuse();
      const index = intervals.indexOf(text('interval') ?? '');
      const length = listLengths(api)[index] ?? refuse();
      const limit = Number(text('limit') ?? (names.limit === undefined ? (api.most?.[index] ?? 1000) : 500));
      if (!(Number.isInteger(limit) && limit > 0 && limit <= 1000)) refuse();
      const late = api.isOfEnds ? length : 0;
      const [from, to = Number.POSITIVE_INFINITY] = [readTime(text('from')), readTime(text('to'))];
      const last = Math.min(to - late, api.closedOnly ? request.now - length : Number.POSITIVE_INFINITY);
      return { pool, length, limit, ...(from !== undefined && { from: from - late }), to: last };
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

/** Reads the values of a body that has the form of a template; any other is refused. */
function readBody(
  template: Template,
  text: string | undefined,
  refuse: () => never,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (wanted: string | Template, value: unknown): void => {
    if (typeof wanted !== 'string') {
      for (const [name, inner] of Object.entries(wanted))
        walk(inner, (value as Template | undefined)?.[name]);
      return;
    }
    const role = /^\{(\w+)\}$/.exec(wanted)?.[1];
    if (role === undefined ? value !== wanted : value === undefined) refuse();
    else if (role !== undefined) found[role] = String(value);
  };
  walk(template, JSON.parse(text || '{}'));
  return found;
}
