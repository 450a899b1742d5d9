import type { Example, Finding, Observation, OperationId, Run } from '../../contract/verdict.ts';
import { dayOf, hourly, inverse, midnight, withOffender } from './candles.ts';
import { hostile } from './hostile.ts';
import { sampleRules } from './sample-rules.ts';

type Sketch = {
  readonly rule: string;
  readonly operation: OperationId;
  readonly examples: readonly [Example, ...Example[]];
  readonly count?: number;
  readonly intermittent?: boolean;
};

function finding({ rule, operation, examples, count = 1, intermittent = false }: Sketch): Finding {
  const [{ pointer, expected, actual, exchange }] = examples;
  const place = pointer.replace(/\/\d+/g, '/*');
  return {
    rule,
    level: sampleRules.find((each) => each.id === rule)?.level ?? 'must',
    operation,
    fingerprint: `${rule} ${operation} ${place}`,
    count,
    pointer: place,
    expected,
    actual,
    exchange,
    intermittent,
    replay: `npx candleproof replay reports/out/testnet '${rule}'`,
    examples,
  };
}

const week = hourly(7);
const day = hourly(24);
const [noon] = hourly(1, midnight + 12 * 3600);

const findings: readonly Finding[] = [
  finding({
    rule: 'candle/average-is-within-range',
    operation: 'listV2PoolCandles',
    count: 168,
    examples: [
      { exchange: 4, pointer: '/3/avg', expected: 'within [0.04805, 0.04822]', actual: '118.56', candles: withOffender(week, 3, { avg: 118.56 }) },
      { exchange: 6, pointer: '/12/avg', expected: 'within [0.04791, 0.04816]', actual: '118.31', candles: withOffender(week, 0, { avg: 118.31 }) },
      { exchange: 9, pointer: '/avg', expected: 'within [0.04802, 0.0481]', actual: '0', candles: withOffender(week.slice(0, 1), 0, { avg: 0 }) },
    ],
  }),
  finding({
    rule: 'candle/high-is-highest',
    operation: 'listV2PoolCandles',
    intermittent: true,
    count: 2,
    examples: [
      { exchange: 5, pointer: '/5/high', expected: 'at least 0.0482412', actual: '0.0479', candles: withOffender(week, 5, { high: 0.0479 }) },
    ],
  }),
  finding({
    rule: 'rollup/high-is-the-highest',
    operation: 'listV2PoolCandles',
    examples: [
      { exchange: 8, pointer: '/0/high', expected: '0.0482804, the highest of its parts', actual: '0.0484735', candles: [dayOf(day), ...day] },
    ],
  }),
  finding({
    rule: 'history/complete',
    operation: 'listV2PoolCandles',
    count: 1,
    examples: [
      { exchange: 4, pointer: '', expected: 'a candle for each of 24 HOUR intervals', actual: '3 missing: 2025-11-12T02:00:00Z, …', candles: [...week.slice(0, 2), ...week.slice(5)] },
    ],
  }),
  finding({
    rule: 'inversion/extremes-are-swapped',
    operation: 'getLatestV1PoolCandle',
    examples: noon
      ? [{ exchange: 11, pointer: '/high', expected: 'high × inverted low = 1', actual: '1.0021', candles: [noon, { ...inverse(noon), offending: true }] }]
      : [{ exchange: 11, pointer: '/high', expected: '1', actual: '1.0021' }],
  }),
  finding({
    rule: 'quota/headers-on-every-answer',
    operation: 'listTokens',
    count: 21,
    examples: [{ exchange: 0, pointer: 'header:x-ratelimit-reset', expected: 'a whole number, once', actual: 'no such header' }],
  }),
  finding({
    rule: 'tokens/id-is-three-integers',
    operation: 'listTokens',
    count: 4,
    examples: [
      { exchange: 0, pointer: '/2/id', expected: 'three integers joined by dots', actual: hostile.script },
      { exchange: 0, pointer: '/3/id', expected: 'three integers joined by dots', actual: hostile.attribute },
      { exchange: 0, pointer: '/4/id', expected: hostile.markdown, actual: `${hostile.cdata}${hostile.comment}${hostile.ansi}` },
    ],
  }),
  finding({
    rule: 'authentication/key-is-required',
    operation: 'getLatestV1PoolCandle',
    examples: [{ exchange: 15, pointer: 'status', expected: 'a refusal', actual: 'status 200' }],
  }),
  finding({
    rule: 'tokens/symbol-is-visible',
    operation: 'listTokens',
    examples: [
      { exchange: 0, pointer: `/7/symbol${hostile.attribute}`, expected: `a visible character ${hostile.markdown}`, actual: `${hostile.separators}${hostile.surrogates}${hostile.bidi}` },
    ],
  }),
];

const observations: readonly Observation[] = [
  { id: 'candle/end-stamps', question: 'What do the end stamps of closed and of open candles say?', answer: 'closed: start of the next, open: the last observation', changed: true },
  { id: 'candle/extra-fields', question: 'Which fields come beside the documented ones?', answer: hostile.script, changed: false },
  { id: 'transport/cross-origin', question: 'May a web page of another origin read the answers?', answer: hostile.markdown, changed: false },
];

/** A run that found much, with every outcome, and with texts that try to escape from a report. */
export const sampleRun: Run = {
  verdict: 'nonconformant',
  reason: '6 musts failed: candle/average-is-within-range, candle/high-is-highest, …',
  target: { name: `testnet ${hostile.bidi}`, baseUrl: 'https://api.testnet.example/dex' },
  seed: 20_251_112,
  startedAt: '2025-11-12T13:05:07.120Z',
  finishedAt: '2025-11-12T13:05:19.845Z',
  requests: { sent: 21, budget: 48 },
  versions: { candleproof: '0.1.0', catalogue: 1, specSha256: '9f2c'.repeat(16) },
  rules: sampleRules,
  findings,
  observations,
};

/** The same target after all was mended. */
export const cleanRun: Run = {
  ...sampleRun,
  verdict: 'conformant',
  reason: undefined,
  target: { name: 'local', baseUrl: 'https://127.0.0.1:8443' },
  rules: sampleRules.filter((each) => !each.id.startsWith('hostile')).map(({ reason: _, ...each }) => ({ ...each, outcome: 'passed', evidence: 7 })),
  findings: [],
  observations: observations.slice(0, 1).map((each) => ({ ...each, changed: false })),
};

/** A target that could not be judged. */
export const inconclusiveRun: Run = {
  ...cleanRun,
  verdict: 'inconclusive',
  reason: 'the API key was refused (status 403)',
  rules: cleanRun.rules.map((each) => ({ ...each, outcome: 'unexercised', evidence: 0, reason: 'no answer held evidence for it' })),
  observations: [],
};
