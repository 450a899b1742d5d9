import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const hour = 3600;
const lengths: Readonly<Record<string, number>> = { '5m': 300, '1h': hour, '1d': 24 * hour };

type Wanted = {
  readonly coin: string;
  readonly interval: string;
  readonly from: number;
  readonly to: number;
};

/** Rows of a range in Unix seconds, from a made-up walk that depends on the time alone. */
function makeRows({ interval, from, to }: Wanted): object[] {
  const step = lengths[interval] ?? hour;
  const price = (at: number): number => Math.round(10_000 + 500 * Math.sin(at / 144_000)) / 100;
  const end = Math.min(to, Date.now() / 1000);
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.min(500, Math.floor((end - first) / step) + 1));
  return Array.from({ length: count }, (_, at) => {
    const start = first + at * step;
    const within = Array.from({ length: step / 300 + 1 }, (__, part) => price(start + 300 * part));
    const [o, c] = [within[0] ?? 0, within.at(-1) ?? 0];
    return {
      t: start * 1000,
      o: String(o),
      h: String(Math.max(...within)),
      l: String(Math.min(...within)),
      c: String(c),
    };
  });
}

/** Serves candles to POSTs whose body is read by a function; refuses all else. */
async function serve(read: (body: unknown) => Wanted, wrap: (rows: object[]) => unknown) {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    try {
      if (request.method !== 'POST') throw new Error('POST alone');
      const wanted = read(JSON.parse(await text(request)));
      if (wanted.coin !== 'BTC' || lengths[wanted.interval] === undefined) throw new Error('unknown');
      response.end(JSON.stringify(wrap(makeRows(wanted))));
    } catch (error) {
      response.writeHead(422).end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

type Snapshot = { readonly req: { coin: string; interval: string; startTime: number; endTime: number } };
type Query = { readonly variables: { coin: string; interval: string; from: number; to: number } };
type Search = {
  readonly query: {
    readonly bool: {
      readonly filter: readonly [
        { readonly term: { readonly symbol: string } },
        { readonly range: { readonly '@timestamp': { readonly gte: string; readonly lt: string } } },
      ];
    };
  };
  readonly aggs: { readonly candles: { readonly date_histogram: { readonly fixed_interval: string } } };
};

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const now = Math.floor(Date.now() / 1000);
const query = 'query C($coin: String!) { candles(coin: $coin) { t o h l c } }';

const cases = [
  {
    name: 'members of a JSON body',
    data: {
      type: 'candleSnapshot',
      req: { coin: 'BTC', interval: '1h', startTime: (now - 90 * hour) * 1000, endTime: now * 1000 },
    },
    read: (body: unknown): Wanted => {
      const { coin, interval, startTime, endTime } = (body as Snapshot).req;
      return { coin, interval, from: startTime / 1000, to: endTime / 1000 };
    },
    wrap: (rows: object[]): unknown => rows,
    part: /type:\n +const: candleSnapshot/,
  },
  {
    name: 'variables of a GraphQL query',
    data: { query, variables: { coin: 'BTC', interval: '1h', from: now - 90 * hour, to: now } },
    read: (body: unknown): Wanted => (body as Query).variables,
    wrap: (candles: object[]): unknown => ({ data: { candles } }),
    part: /query:\n +const: "?query C/,
  },
  {
    name: 'items of lists in a body, and values one level below their names',
    data: {
      size: 0,
      query: {
        bool: {
          filter: [
            { term: { symbol: 'BTC' } },
            { range: { '@timestamp': { gte: isoTime(now - 90 * hour), lt: isoTime(now) } } },
          ],
        },
      },
      aggs: { candles: { date_histogram: { field: '@timestamp', fixed_interval: '1h' }, aggs: {} } },
      note: `a body longer than the name of a file may be: ${'-'.repeat(300)}`,
    },
    read: (body: unknown): Wanted => {
      const { query: searched, aggs } = body as Search;
      const [{ term }, { range }] = searched.bool.filter;
      const { gte, lt } = range['@timestamp'];
      const interval = aggs.candles.date_histogram.fixed_interval;
      return { coin: term.symbol, interval, from: Date.parse(gte) / 1000, to: Date.parse(lt) / 1000 - 1 };
    },
    wrap: (rows: object[]): unknown => {
      const buckets = (rows as Record<string, unknown>[]).map(({ t: key, ...prices }) => {
        const values = Object.entries(prices).map(([letter, value]) => [letter, { value: Number(value) }]);
        return { key, doc_count: 5, ...Object.fromEntries(values) };
      });
      return { took: 3, aggregations: { candles: { buckets } } };
    },
    part: /prefixItems:\n +- type: object/,
  },
] as const;

for (const { name, data, read, wrap, part } of cases)
  test(`${name} have roles in a draft by which the API is checked`, async () => {
    const server = await serve(read, wrap);
    const file = test.info().outputPath('api.yaml');
    const body = ['--data', JSON.stringify(data)];
    const looked = await candleproof(['look', `${server.base}/info`, ...body, '--settle', '--write', file]);
    expect(looked.code, looked.stdout + looked.stderr).toBe(0);
    expect(looked.stderr.match(/^POST /gm)?.length).toBeGreaterThan(2);
    const draft = readFileSync(file, 'utf8');
    expect(draft).toMatch(part);
    expect(draft).toContain('5m: 300');
    const target = ['--base-url', server.base, '--pools', 'BTC', '--budget', '20'];
    const out = test.info().outputPath('run');
    const checked = await candleproof(['check', '--spec', file, ...target, '--out', out]);
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
    server.close();
  });

test('a body that is no JSON object is refused in one line', async () => {
  const refused = await candleproof(['look', 'https://a.invalid/x', '--data', '[1]']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--data: this is no JSON object'),
  ]);
});
