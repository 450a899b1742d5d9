/**
 * What judging costs: a history of 2,016 five-minute candles, strict parse and all rules that one answer exercises,
 * beside JSON.parse of the same bytes. Run it with `npm run bench`.
 */

import type { Exchange, Recording } from '../contract/exchange.ts';
import { judge } from '../contract/judge.ts';
import { loadSpec } from '../contract/spec.ts';

const spec = loadSpec('openapi.yaml');
const start = Date.parse('2026-03-02T00:00:00Z') / 1000;
const length = 300;

function history(count: number): string {
  const candles = Array.from({ length: count }, (_, row) => {
    const open = 0.0482 + 0.003 * Math.sin(row / 40);
    const close = 0.0482 + 0.003 * Math.sin((row + 1) / 40);
    return {
      poolId: 1,
      open,
      high: Math.max(open, close) * 1.001,
      low: Math.min(open, close) * 0.999,
      close,
      avg: (open + close) / 2,
      volume: String(120_034_000_000 + row),
      liquidity: String(9_668_737_245_792 + row),
      volumeUsd: '57.12',
      liquidityUsd: '4653.53',
      timestampSeconds: start + (row + 1) * length,
      startTimestampSeconds: start + row * length,
    };
  });
  return JSON.stringify(candles);
}

function recordingOf(text: string, count: number): Recording {
  const bytes = Buffer.byteLength(text);
  const to = start + count * length;
  const exchange: Exchange = {
    request: {
      method: 'GET',
      url: `https://target.invalid/v2/pools/conversionRates/1?from=${start}&to=${to}&interval=FIVEMIN`,
      headers: [],
      credential: 'api-key',
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [
        ['date', new Date((to + 3600) * 1000).toUTCString()],
        ['content-type', 'application/json'],
        ['content-length', String(bytes)],
        ['x-ratelimit-limit', '10000'],
        ['x-ratelimit-remaining', '9000'],
        ['x-ratelimit-additional-total', '0'],
        ['x-ratelimit-reset', String((to + 86_400) * 1000)],
      ],
      body: { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes },
    },
    timings: { total: 1 },
    startedAt: '2026-03-09T01:00:00.000Z',
  };
  const target = {
    name: 'bench',
    baseUrl: 'https://target.invalid',
    poolsV1: [],
    poolsV2: [1],
    keyless: false,
    soleUser: true,
  };
  return { target, seed: 1, exchanges: [exchange] };
}

/** Best of many rounds in milliseconds: what the machine does when nothing else is in the way. */
function bestOf(work: () => unknown, rounds: number): number {
  for (let warm = 0; warm < rounds; warm++) work();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds * 2; round++) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

for (const [count, rounds] of [
  [2_016, 150],
  [20_160, 20],
  [100_000, 5],
] as const) {
  const text = history(count);
  const recording = recordingOf(text, count);
  const judged = judge(spec, recording, { replay: (rule) => rule });
  if (judged.findings.length > 0)
    throw new Error(`the healthy history is accused: ${JSON.stringify(judged.findings[0])}`);
  const floor = bestOf(() => JSON.parse(text), rounds);
  const whole = bestOf(() => judge(spec, recording, { replay: (rule) => rule }), rounds);
  const passed = judged.rules.filter((each) => each.outcome === 'passed').length;
  console.log(
    `${count} candles: JSON.parse ${floor.toFixed(2)} ms, judged by ${passed} rules and questions ${whole.toFixed(2)} ms, ratio ${(whole / floor).toFixed(2)}`,
  );
}
