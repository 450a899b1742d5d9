import { baseUrl, scriptedClient } from '@candleproof/check/testing/scripted-client';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { expect, test } from '@playwright/test';
import { runAudit } from './audit.ts';

const spec = loadSpec('openapi.yaml');
const [hour, day] = [3600, 86_400];
const lengths = { HOUR: hour, DAY: day, WEEK: 7 * day };
type Interval = keyof typeof lengths;

/** The Date header of the scripted client. */
const now = Date.parse('2026-03-11T15:32:20Z') / 1000;
const born = Date.parse('2026-02-16T00:00:00Z') / 1000;

type Wanted = {
  readonly pool: number;
  readonly interval: Interval;
  readonly from: number;
  readonly to: number;
};

function requestedBy(path: string): Wanted {
  const { pathname, searchParams } = new URL(path, baseUrl);
  return {
    pool: Number(pathname.split('/').at(-1)),
    interval: searchParams.get('interval') as Interval,
    from: Number(searchParams.get('from')),
    to: Number(searchParams.get('to')),
  };
}

/** Rows of a market that does not move, born on a Monday. */
function rowsFor({ pool, interval, from, to }: Wanted): object[] {
  const length = lengths[interval];
  const first = born + Math.max(0, Math.floor((from - born) / length)) * length;
  const count = Math.max(0, Math.ceil((Math.min(to, now) - first) / length));
  return Array.from({ length: count }, (_, at) => {
    const start = first + at * length;
    const price = pool;
    const hours = Math.ceil((Math.min(start + length, now) - start) / hour);
    return {
      ...{ poolId: pool, open: price, high: price, low: price, close: price, avg: price },
      ...{ volume: String(5 * hours), volumeUsd: String(hours), liquidity: '900', liquidityUsd: '200' },
      ...{ startTimestampSeconds: start, timestampSeconds: start + length },
    };
  });
}

/** Lists the missing and unread ranges of these answers, one line for each. */
async function missingWhere(rows: (wanted: Wanted) => object[], date?: string) {
  const client = scriptedClient(({ path }) => ({
    status: 200,
    body: JSON.stringify(rows(requestedBy(path))),
  }));
  const dated = ({ response, ...rest }: Exchange): Exchange =>
    response && date !== undefined
      ? { ...rest, response: { ...response, headers: [['date', date]] } }
      : { ...rest, response };
  const { audit } = await runAudit({
    spec,
    target: { name: 'target', baseUrl, pools: { v1: [], v2: [7, 8] }, keyless: false, soleUser: true },
    client: { send: async (request) => dated(await client.send(request)) },
    hasKey: true,
    range: { from: now - 30 * day, to: now },
    now,
    budget: 24,
    pauseMs: 1,
  });
  return audit.damage
    .filter(({ certainty }) => certainty !== 'suspicion')
    .map(
      ({ pool, interval, certainty, kind, from }) =>
        `${pool} ${interval} ${certainty} ${kind} ${from - born}`,
    );
}

test('a past that is given in every length has nothing missing', async () => {
  expect(await missingWhere(rowsFor)).toEqual([]);
});

test('a length that is always empty has lost its rows, since another shows that the pool lived', async () => {
  for (const interval of ['HOUR', 'DAY'] as const)
    expect(await missingWhere((wanted) => (wanted.interval === interval ? [] : rowsFor(wanted)))).toEqual([
      expect.stringMatching(`^7 ${interval} breach gap `),
      expect.stringMatching(`^8 ${interval} breach gap `),
    ]);
});

test('a pool without a row of any length is not known to be sound, beside one that is', async () => {
  const found = await missingWhere((wanted) => (wanted.pool === 8 ? [] : rowsFor(wanted)));
  expect(found).toEqual(
    ['HOUR', 'DAY', 'WEEK'].map((interval) => expect.stringMatching(`^8 ${interval} unknown unread `)),
  );
});

test('what lies after a Date header that is behind is not read', async () => {
  const found = await missingWhere(rowsFor, 'Tue, 10 Mar 2026 15:32:20 GMT');
  expect(found.filter((gap) => gap.includes('unread'))).toHaveLength(6);
});
