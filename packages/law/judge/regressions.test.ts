import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { expect, test } from '@playwright/test';
import type { Exchange } from '../reading/exchange.ts';
import { judgeIt, listFindings } from '../worlds/breach-case.ts';
import {
  all,
  count,
  type Distort,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  header,
  rows,
  status,
  text,
  value,
  withExchanges,
  withoutRequests,
} from '../worlds/damage.ts';
import { makeMarket } from '../worlds/market.ts';
import { baseUrl, type NamedRecording, record } from '../worlds/recorded.ts';
import { answerValue } from '../worlds/server.ts';
import { usualWorld } from '../worlds/world.ts';

// Cases in which the judge was once wrong: it broke down, accused the healthy, or looked past a breach.
const healthy = record(usualWorld);
const at = (name: string, damage: Distort, recorded: NamedRecording = healthy) =>
  damageExchange(recorded, name, damage);
const accusing = (recorded: NamedRecording) => [
  ...new Set(judgeIt(recorded).findings.map((finding) => finding.rule)),
];
const places = (recorded: NamedRecording) => judgeIt(recorded).findings.map((finding) => finding.pointer);
const crashes = (recorded: NamedRecording) =>
  judgeIt(recorded).rules.flatMap(({ id, reason }) => (/rule itself/.test(reason ?? '') ? [id] : []));
const keyedRequests = ({ recording }: NamedRecording) =>
  recording.exchanges.filter(({ request }) => request.credential === 'api-key').length;
const findExchange = (name: string): Exchange => {
  const found = healthy.recording.exchanges[healthy.names.indexOf(name)];
  if (!found) throw new Error(name);
  return found;
};

test('A1 a null among the tokens is judged', () => {
  expect(
    accusing(
      at(
        'tokens',
        rows((list) => [...list, null]),
      ),
    ),
  ).toEqual(['tokens/documented-types']);
});

test('A2 eighty thousand candles, plain and inverted, are judged', () => {
  const from = 1_700_000_100;
  const count = 80_000;
  const list = (price: (row: number) => number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, row) => {
        const reported = price(row);
        const start = from + row * 300;
        const prices = { open: reported, high: reported, low: reported, close: reported, avg: reported };
        const amounts = { volume: '0', liquidity: '1', volumeUsd: '0', liquidityUsd: '0' };
        return {
          poolId: 1,
          ...prices,
          ...amounts,
          timestampSeconds: start + 300,
          startTimestampSeconds: start,
        };
      }),
    );
  const requested = (body: string, turned: string, used: number) => {
    const url = `${baseUrl}/v2/pools/conversionRates/1?from=${from}&to=${from + count * 300}&interval=FIVEMIN${turned}`;
    const { request, ...rest } = findExchange('week FIVEMIN');
    return header(
      'x-ratelimit-remaining',
      String(9000 - used),
    )(text(body)({ ...rest, request: { ...request, url } }));
  };
  const plain = requested(
    list((row) => 1 + row / 1e6),
    '',
    0,
  );
  const inverted = requested(
    list((row) => 1 / (1 + row / 1e6)),
    '&inverted=true',
    1,
  );
  expect(
    listFindings(judgeIt({ recording: { ...healthy.recording, exchanges: [plain, inverted] } }).findings),
  ).toEqual([]);
});

test('A3 an object that cannot be a text breaks no rule', () => {
  const odd = at('week HOUR', fields(3, { extra: { toString: 1 } }));
  expect(crashes(at('week HOUR spelt', fields(3, { extra: 'x' }), odd))).toEqual([]);
});

test('A4 a hundred thousand times the same day is judged in seconds', { tag: '@endurance' }, () => {
  const many = at(
    'week DAY',
    rows((list) => Array.from({ length: 100_000 }, () => list[2])),
  );
  expect(measureProcessorMs(() => judgeIt(many))).toBeLessThan(20_000);
});

test('B1 an exchange with another host is not accused of missing headers', () => {
  const { request, response } = findExchange('tokens');
  if (!response) throw new Error('no response');
  const picture: Exchange = {
    ...findExchange('tokens'),
    request: { ...request, url: 'https://cdn.elsewhere.invalid/a.png', credential: 'unknown' },
    response: { ...response, headers: [] },
  };
  expect(accusing(withExchanges(healthy, (exchanges) => [...exchanges, picture]))).toEqual([]);
});

test('B2 an hour that settles between the plain and the inverted answer is no difference', () => {
  const world = { ...usualWorld, now: Date.parse('2026-03-18T10:01:30Z') / 1000, pace: 0 };
  const recorded = record(world);
  const plain = recorded.recording.exchanges[recorded.names.indexOf('recent HOUR of 1')];
  if (!plain) throw new Error('no answer');
  const url = `${plain.request.url}&inverted=true`;
  const list = answerValue(world, makeMarket(world), url.slice(baseUrl.length), world.now + 60);
  const later = all(
    text(JSON.stringify(list)),
    header('date', new Date((world.now + 60) * 1000).toUTCString()),
    header('x-ratelimit-remaining', String(10_000 - 120 - keyedRequests(recorded) - 1)),
  )({ ...plain, request: { ...plain.request, url } });
  expect(accusing(withExchanges(recorded, (exchanges) => [...exchanges, later]))).toEqual([]);
});

test('B3 observations shared at boundaries do not put an average outside its parts', () => {
  const from = Date.parse('2026-03-10T00:00:00Z') / 1000;
  const price = (minute: number): number => (minute % 5 === 0 ? 2 : 1);
  const candle = (start: number, length: number): Fields => {
    const prices = Array.from({ length: length / 60 + 1 }, (_, at) => price(start / 60 + at));
    const [open, close] = [prices[0], prices.at(-1)];
    const avg = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    const amounts = { volume: '0', liquidity: '1', volumeUsd: '0', liquidityUsd: '0' };
    const times = { timestampSeconds: start + length, startTimestampSeconds: start };
    return { poolId: 9, open, high: 2, low: 1, close, avg, ...amounts, ...times };
  };
  const requested = (interval: string, length: number): Exchange => {
    const url = `${baseUrl}/v2/pools/conversionRates/9?from=${from}&to=${from + 7200}&interval=${interval}`;
    const list = Array.from({ length: 7200 / length }, (_, at) => candle(from + at * length, length));
    const { request, ...rest } = findExchange('week FIVEMIN');
    return text(JSON.stringify(list))({ ...rest, request: { ...request, url } });
  };
  const two = [
    requested('HOUR', 3600),
    count('x-ratelimit-remaining', (left) => left - 1)(requested('FIVEMIN', 300)),
  ];
  expect(listFindings(judgeIt({ recording: { ...healthy.recording, exchanges: two } }).findings)).toEqual([]);
});

test('B4 an average reported in eight digits beside full prices is rounded, not outside', () => {
  const flat = record({ ...usualWorld, prices: 'flat' });
  const names = flat.names.filter((name) => /^(week|recent|one)/.test(name) && !name.endsWith('unkeyed'));
  const rounded = everyRow(({ avg }) => ({ avg: Number(Number(avg).toPrecision(8)) }));
  expect(accusing(names.reduce((recorded, name) => at(name, rounded, recorded), flat))).toEqual([]);
});

test('B5 a pool written 007 is no proper request', () => {
  const { request } = findExchange('latest HOUR');
  const { request: _, ...rest } = findExchange('after now');
  const odd = { ...request, url: request.url.replace('/latest/1', '/latest/007') };
  expect(
    accusing(
      withExchanges(healthy, (exchanges) => [
        ...exchanges,
        all(status(400), text('{}'))({ ...rest, request: odd }),
      ]),
    ),
  ).toEqual([]);
});

test('B6 two tokens without an id are not the same token', () => {
  const both = at('tokens', all(fields(1, { id: undefined }), fields(2, { id: undefined })));
  expect(accusing(both)).toEqual(['tokens/all-fields-present']);
});

test('B7 one day reported twice and nothing else is in order', () => {
  expect(
    accusing(
      at(
        'recent HOUR of 2',
        rows((list) => [list[0], list[0]]),
      ),
    ),
  ).not.toContain('history/one-order');
});

test('C1 a latest candle of one interval that is refused is accused', () => {
  expect(accusing(at('latest WEEK', status(400)))).toEqual(['transport/proper-requests-are-answered']);
  expect(accusing(at('latest WEEK', status(404)))).toEqual(['transport/proper-requests-are-answered']);
});

test('C2 a wrapped latest candle is reported as one', () => {
  const wrapped = at(
    'latest HOUR of 2',
    value((record) => ({ candle: record })),
  );
  expect(accusing(wrapped)).toEqual(['latest/answer-is-one-candle']);
});

test('C3 seventeen digits do not silence the rules of the quota', () => {
  const odd = all(
    header('x-ratelimit-limit', `1${'0'.repeat(16)}`),
    header('x-ratelimit-additional-total', '5'),
  );
  expect(accusing(withExchanges(healthy, (exchanges) => exchanges.map(odd)))).toContain(
    'quota/additional-only-beyond-limit',
  );
});

test('D1 a breach is reported at the field that breaks the rule', () => {
  expect(places(at('recent HOUR of 2', fields(5, { low: 0 })))).toEqual(['/*/low']);
  expect(places(at('recent HOUR of 2', fields(5, { liquidity: '0', liquidityUsd: '5' })))).toEqual([
    '/*/liquidityUsd',
  ]);
  const alone = withoutRequests(healthy, 'week DAY inverted', 'week DAY spelt otherwise');
  expect(places(at('week DAY', fields(2, { liquidityUsd: '5' }), alone))).toEqual(['/*/liquidityUsd']);
  expect(
    places(
      at(
        'recent HOUR of 2',
        fields(-1, (row) => ({ startTimestampSeconds: Number(row.startTimestampSeconds) * 1000 })),
      ),
    ),
  ).toEqual(['/*/startTimestampSeconds']);
});

test('D2 a field only in the spelt-out answer is named', () => {
  expect(places(at('week HOUR spelt', fields(3, { extra: 'x' })))).toEqual(['/*/extra']);
});

test('D3 two equal odd amounts are one breach', () => {
  const names = healthy.names.filter((name) => name.startsWith('latest') && !/of|unkeyed/.test(name));
  const odd = names.reduce((recorded, name) => at(name, fields(0, { liquidity: {} }), recorded), healthy);
  expect(accusing(odd)).toEqual(['candle/documented-types']);
});

test('D4 a finding is short however long the text it is about', () => {
  const long = at('week HOUR inverted', fields(3, { volumeUsd: '1'.repeat(1_000_000) }));
  expect(JSON.stringify(judgeIt(long).findings).length).toBeLessThan(20_000);
});

test('an impossible average of an inverted candle is one breach', () => {
  const half = fields(3, ({ avg }) => ({ avg: Number(avg) * 1.5 }));
  expect(accusing(at('week HOUR inverted', half))).toEqual(['candle/average-is-within-range']);
});

test('an hour across the boundary of days proves no day before the pool was born', () => {
  // Days begin at 18:30 UTC, and the pool's first minute is 18:59.
  const world = { ...usualWorld, now: 1_700_000_000, dayPhase: 66_600, ages: [443_660, 1e9] };
  expect(accusing(record({ ...world, poolsV1: [0], poolsV2: [0] }))).toEqual([]);
});
