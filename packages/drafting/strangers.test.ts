import { compileSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import type { ApiDraft } from './draft.ts';
import { draftApi } from './draft-document.ts';
import { nextProbe, type Settling, takeProbe } from './settle-draft.ts';
import { writeDraft } from './write-draft.ts';

const hour = 3600;
const newest = Date.parse('2026-11-24T12:00:00Z') / 1000;
const starts = Array.from({ length: 30 }, (_, at) => newest + (at - 29) * hour);

function prices(at: number): [open: number, high: number, low: number, close: number] {
  const [open, close] = [100 + Math.sin(at), 100 + Math.sin(at + 1)];
  return [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close];
}

/** Rows as objects, whose times are written by a function. */
function write(time: (start: number) => unknown, name = 'time'): object[] {
  return starts.map((start, at) => {
    const [open, high, low, close] = prices(at);
    return { [name]: time(start), open, high, low, close };
  });
}

const iso = (start: number): string => new Date(start * 1000).toISOString();
const local = (start: number): string => iso(start).slice(0, 19).replace('T', ' ');

function draft(path: string, body: unknown, facts: { now?: number; pool?: string } = {}): ApiDraft {
  const found = draftApi(new URL(path, 'https://a.invalid'), body, { step: hour, ...facts });
  if (!found) throw new Error('no rows were found');
  return found;
}

/** Compiles a draft, and returns the roles of its parameters. */
function compile(drafted: ApiDraft): object {
  const [operation] = compileSpec('draft', [], { draft: JSON.stringify(writeDraft(drafted)) }).operations;
  return Object.fromEntries(
    operation?.parameters.flatMap(({ name, role }) => (role ? [[name, role]] : [])) ?? [],
  );
}

test('a range that ends with a day has its end, and the day belongs to it as a whole', () => {
  const drafted = draft('/EURUSD?startDate=2026-11-23&endDate=2026-11-24&freq=1hour', write(iso));
  expect(compile(drafted)).toEqual({ pool: 'pool', startDate: 'from', endDate: 'to', freq: 'interval' });
  expect(drafted.parameters.find(({ name }) => name === 'endDate')?.schema).toMatchObject({ format: 'date' });
});

test('a limit is known by another name, or by the number of rows that came', () => {
  const query = `symbol=BTCUSDT&interval=1_HOUR&to=${newest}`;
  for (const name of ['candles', 'page_size', 'points', 'xyz'])
    expect(
      compile(
        draft(
          `/c?${query}&${name}=30`,
          write((start) => start),
        ),
      ),
      name,
    ).toMatchObject({
      interval: 'interval',
      [name]: 'limit',
    });
});

test('a market is a number of the path, has dots, or is named', () => {
  const tail = `?interval=1h&from=${newest - 29 * hour}&to=${newest}`;
  const rows = write((start) => start);
  expect(draft(`/instruments/historical/408065/60minute${tail}`, rows).pool).toBe('408065');
  expect(draft(`/api/intraday/aapl.us${tail}`, rows).pool).toBe('aapl.us');
  expect(draft(`/api/x/gold${tail}`, rows).missing[0]).toContain('--pool: one of api, x, gold');
  expect(draft(`/api/x/gold${tail}`, rows, { pool: 'gold' }).pool).toBe('gold');
});

const tail = `symbol=BTCUSDT&interval=1h`;

test('times in any form that is read can be written down', () => {
  const forms: Readonly<Record<string, (start: number) => unknown>> = {
    us: (start) => start * 1e6,
    ns: (start) => `${start}000000000`,
    text: (start) => new Date(start * 1000).toUTCString(),
  };
  for (const [unit, time] of Object.entries(forms)) {
    const drafted = draft(`/c?${tail}&from=${newest - 29 * hour}&to=${newest}`, write(time));
    expect(JSON.stringify(drafted.schema), unit).toContain(`"x-unit":"${unit}"`);
    expect([drafted.rows.at(-1)?.start, drafted.missing], unit).toEqual([newest, []]);
    compile(drafted);
  }
  const compact = write((start) => Number(iso(start).replace(/\D/g, '').slice(0, 12)));
  const drafted = draft(`/c?${tail}`, compact, { now: newest + 60 });
  expect([drafted.rows.at(-1)?.start, drafted.missing]).toEqual([newest, []]);
  const wrapped = draft(
    `/c?${tail}`,
    write((start) => `/Date(${start * 1000})/`),
  );
  expect([wrapped.rows.at(-1)?.start, wrapped.missing]).toEqual([newest, []]);
});

test('text without an offset has the zone of the rows, of a name or of the newest row, else it is a question', () => {
  const india = (start: number): string => `${iso(start + 5.5 * hour).slice(0, 19)}+0530`;
  const range = `from=${encodeURIComponent(local(newest - 23.5 * hour))}&to=${encodeURIComponent(local(newest + 5.5 * hour))}`;
  const shown = draft(`/c?${tail}&${range}`, write(india));
  expect(shown.parameters.map(({ tags }) => tags['x-zone']).filter(Boolean)).toEqual(['+05:30', '+05:30']);
  const beside = write((start) => start, 'timestamp').map((row, at) => ({
    time: local((starts[at] ?? 0) - 5 * hour),
    ...row,
  }));
  const ofYork = draft(`/c?${tail}&start=2026-11-23%2001:00&end=2026-11-24%2007:00`, beside);
  expect([ofYork.missing, ofYork.rows.at(-1)?.start]).toEqual([[], newest]);
  expect(ofYork.parameters.map(({ tags }) => tags['x-zone']).filter(Boolean)).toEqual(['-05:00', '-05:00']);
  const open = draft(`/c?${tail}`, write(local));
  expect(open.missing).toEqual([expect.stringContaining('x-zone of time: nothing shows the zone')]);
  expect(draft(`/c?${tail}`, write(local), { now: newest + 1800 }).missing).toEqual([]);
  expect(draft(`/c?${tail}&timezone=UTC`, write(local)).missing).toEqual([]);
  const named = { meta: { exchange_timezone: 'America/New_York' }, values: write(local) };
  const ofNewYork = draft(`/c?${tail}`, named);
  expect([ofNewYork.missing, ofNewYork.rows.at(-1)?.start]).toEqual([[], newest + 5 * hour]);
  const ahead = draft(
    `/c?${tail}`,
    write((start) => local(start + 9 * hour)),
    { now: newest + 1800 },
  );
  expect(JSON.stringify(ahead.schema)).toContain('"x-zone":"+09:00"');
});

test('rows that were pushed after their end have the start with even steps', () => {
  const rows = starts.map((start, at) => {
    const [open, high, low, close] = prices(at);
    const pushed = (start + hour) * 1000 + ((at * 7919) % 900);
    return [low, high, open, close, at + 1, pushed, 'HOUR_1', start * 1000, (start + hour) * 1000 - 1].map(
      String,
    );
  });
  const drafted = draft('/markets/BTC_USDT/candles?interval=HOUR_1&limit=100', rows);
  const [operation] = compileSpec('draft', [], { draft: JSON.stringify(writeDraft(drafted)) }).operations;
  expect(operation?.fields).toMatchObject({
    start: '7',
    end: '8',
    open: '2',
    high: '1',
    low: '0',
    close: '3',
  });
});

test('a settled draft takes over the most rows, a larger limit and refusals of a range without rows', () => {
  const url = `/c?${tail}&from=${newest - 29 * hour}&to=${newest}&limit=30`;
  const body = { s: 'ok', rows: write((start) => start) };
  let settling: Settling = { draft: draft(url, body), sent: [] };
  for (let probe = nextProbe(settling); probe; probe = nextProbe(settling)) {
    expect(probe.url.href).not.toContain('NaN');
    const { interval, kind } = probe;
    const step = interval?.seconds ?? hour;
    const count = kind === 'most rows' ? 1000 : 30;
    const rows = Array.from({ length: count }, (_, at) => {
      const [open, high, low, close] = prices(at);
      return { time: newest - at * step, open, high, low, close };
    });
    const answer = kind === 'empty range' ? { s: 'no_data' } : { s: 'ok', rows };
    settling = takeProbe(settling, probe, { status: 200, body: answer });
  }
  const { schema, parameters } = settling.draft;
  expect(JSON.stringify(schema)).toContain('"x-empty":400');
  expect(parameters.find(({ role }) => role === 'limit')?.schema).toMatchObject({ maximum: 1000 });
  expect(new Set(settling.sent.map(({ url: sent }) => sent.href)).size).toBe(settling.sent.length);
  compile(settling.draft);
});

test('a day that each request would repeat is a question, and a pair of a small currency is a market', () => {
  const day = iso(starts[0] ?? 0)
    .slice(0, 10)
    .replaceAll('-', '');
  const daily = draft(
    `/klines?symbol=BTC&interval=1hour&date=${day}`,
    write((start) => start),
  );
  expect(daily.missing).toEqual([expect.stringMatching(/^x-role of date: the rows are those of \d{8}/)]);
  const path = `/trading-history/btc_twd?resolution=1h&from=${starts[0]}&to=${newest}`;
  expect(
    draft(
      path,
      write((start) => start),
    ),
  ).toMatchObject({ missing: [], pool: 'btc_twd' });
});

test('null in place of the list is an answer without rows', () => {
  const path = `/c/btc_twd?resolution=1h&from=${(starts[0] ?? 0) - hour}&to=${newest + hour}`;
  const data = write((start) => start);
  let settling: Settling = { draft: draft(path, { data }, { now: newest }), sent: [] };
  for (let probe = nextProbe(settling); probe; probe = nextProbe(settling))
    settling = takeProbe(settling, probe, {
      status: 200,
      body: { data: probe.kind === 'empty range' ? null : data },
    });
  expect(settling.draft.schema).toMatchObject({
    properties: { data: { type: ['array', 'null'], 'x-empty': 'absent' } },
  });
});
