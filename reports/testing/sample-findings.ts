import type { OperationId, OperationName } from '@candleproof/document/spec/spec';
import { orderFindings } from '@candleproof/law/judge/judge';
import type { Acceptance, Example, Finding, FindingRequest } from '@candleproof/law/judge/verdict';
import { hourly, inverse, joinDay, midnight, withOffender } from './candles.ts';
import { hostile } from './hostile.ts';
import { sampleRules } from './sample-rules.ts';

const names: Readonly<Record<OperationId, OperationName>> = {
  listTokens: { title: 'List tokens', request: 'GET /tokens' },
  listV2PoolCandles: {
    title: 'Historical candlesticks of a V2 pool',
    request: 'GET /v2/pools/conversionRates/{poolId}',
  },
  getLatestV1PoolCandle: {
    title: 'Latest candlestick of a V1 pool',
    request: 'GET /pools/conversionRates/latest/{poolId}',
  },
};

type Sketch = {
  readonly rule: string;
  readonly operation: OperationId;
  readonly examples: readonly [Example, ...Example[]];
  readonly count?: number;
  readonly intermittent?: boolean;
  readonly known?: Acceptance;
};

function finding({ rule, operation, examples, count = 1, intermittent = false, known }: Sketch): Finding {
  const [{ pointer, expected, actual, exchange }] = examples;
  const place = pointer.replace(/\/\d+/g, '/*');
  return {
    rule,
    level: sampleRules.find((sampleRule) => sampleRule.id === rule)?.level ?? 'must',
    operation,
    ...(names[operation] && { named: names[operation] }),
    fingerprint: `${rule} ${operation} ${place}`,
    count,
    pointer: place,
    expected,
    actual,
    exchange,
    intermittent,
    replay: `npx candleproof replay reports/out/testnet '${rule}'`,
    examples,
    known,
  };
}

function requestTo(path: string): FindingRequest {
  return { method: 'GET', url: `https://api.testnet.example/dex${path}`, credential: 'api-key' };
}

const week = hourly(7);
const day = hourly(24);
const [noon] = hourly(1, midnight + 12 * 3600);

/** Musts and shoulds, known and intermittent, with candles that are hard to draw and texts that try to escape. */
export const sampleFindings: readonly Finding[] = orderFindings([
  finding({
    rule: 'candle/average-is-within-range',
    operation: 'listV2PoolCandles',
    count: 168,
    examples: [
      {
        exchange: 4,
        request: requestTo('/v2/pools/conversionRates/1?from=1762905600&to=1763510400&interval=HOUR'),
        pointer: '/3/avg',
        expected: 'within [0.04805, 0.04822]',
        actual: '118.56',
        candles: withOffender(week, 3, { avg: 118.56 }),
      },
      {
        exchange: 6,
        request: requestTo('/v2/pools/conversionRates/1?from=1762905600&to=1763510400&interval=HOUR'),
        pointer: '/12/avg',
        expected: 'within [0.04791, 0.04816]',
        actual: '118.31',
        candles: withOffender(week, 0, { avg: 118.31 }),
      },
      {
        exchange: 9,
        request: requestTo('/pools/conversionRates/latest/1?interval=HOUR'),
        pointer: '/avg',
        expected: 'within [0.04802, 0.0481]',
        actual: '0',
        candles: withOffender(week.slice(0, 1), 0, { avg: 0 }),
      },
    ],
  }),
  finding({
    rule: 'candle/high-is-highest',
    operation: 'listV2PoolCandles',
    intermittent: true,
    count: 2,
    examples: [
      {
        exchange: 5,
        pointer: '/5/high',
        expected: 'at least 0.0482412',
        actual: '0.0479',
        candles: withOffender(week, 5, { high: 0.0479 }),
      },
    ],
  }),
  finding({
    rule: 'rollup/high-is-the-highest',
    operation: 'listV2PoolCandles',
    examples: [
      {
        exchange: 8,
        pointer: '/0/high',
        expected: '0.0482804, the highest of its parts',
        actual: '0.0484735',
        candles: [joinDay(day), ...day],
      },
    ],
  }),
  finding({
    rule: 'history/complete',
    operation: 'listV2PoolCandles',
    count: 1,
    examples: [
      {
        exchange: 4,
        pointer: '',
        expected: 'a candle for each of 24 HOUR intervals',
        actual: '3 missing: 2025-11-12T02:00:00Z, …',
        candles: [...week.slice(0, 2), ...week.slice(5)],
      },
    ],
  }),
  finding({
    rule: 'inversion/extremes-are-swapped',
    operation: 'getLatestV1PoolCandle',
    examples: noon
      ? [
          {
            exchange: 11,
            pointer: '/high',
            expected: 'high × inverted low = 1',
            actual: '1.0021',
            candles: [noon, { ...inverse(noon), offending: true }],
          },
        ]
      : [{ exchange: 11, pointer: '/high', expected: '1', actual: '1.0021' }],
  }),
  finding({
    rule: 'quota/headers-on-every-answer',
    operation: 'listTokens',
    count: 21,
    examples: [
      {
        exchange: 0,
        pointer: 'header:x-ratelimit-reset',
        expected: 'a whole number, once',
        actual: 'no such header',
      },
    ],
  }),
  finding({
    rule: 'tokens/id-is-three-integers',
    operation: 'listTokens',
    count: 4,
    examples: [
      { exchange: 0, pointer: '/2/id', expected: 'three integers joined by dots', actual: hostile.script },
      { exchange: 0, pointer: '/3/id', expected: 'three integers joined by dots', actual: hostile.attribute },
      {
        exchange: 0,
        pointer: '/4/id',
        expected: hostile.markdown,
        actual: `${hostile.cdata}${hostile.comment}${hostile.ansi}`,
      },
    ],
  }),
  finding({
    rule: 'authentication/key-is-required',
    operation: 'getLatestV1PoolCandle',
    known: { reason: 'agreed with the operator', until: '2026-01-31' },
    examples: [{ exchange: 15, pointer: 'status', expected: 'a refusal', actual: 'status 200' }],
  }),
  finding({
    rule: 'tokens/symbol-is-visible',
    operation: 'listTokens',
    examples: [
      {
        exchange: 0,
        pointer: `/7/symbol${hostile.attribute}`,
        expected: `a visible character ${hostile.markdown}`,
        actual: `${hostile.separators}${hostile.surrogates}${hostile.bidi}`,
      },
    ],
  }),
]);
