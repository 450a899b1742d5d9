/**
 * Measures judging, including strict parsing, relative to JSON.parse of the same bytes: one answer of five-minute
 * candles, and the same candles with inverted answers, all roll-ups and two overlapping halves, so that rules of series
 * apply as well. Counts CPU time of all threads, including garbage collection, so that other load matters little.
 * Parsing and judging alternate, so that changes of CPU speed affect both. Prints median and quartiles of the ratios.
 * Run it with `npm run bench`.
 */

import { loadavg } from 'node:os';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { judge } from '@candleproof/law/judge/judge';
import type { Recording } from '@candleproof/law/reading/exchange';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import { isBrief, keepRatio } from './ratios.ts';
import { longRecording, singleAnswer } from './recording.ts';

const spec = loadSpec('openapi.yaml');

/** Minimum number of bytes parsed in one turn, so that every turn includes garbage collection. */
const bytesOfTurn = 20e6;

/** Warm-up turns, in which the code is compiled. */
const warmUp = 3;

type Turn = { readonly floor: number; readonly law: number; readonly all: number };

/** Returns CPU time in milliseconds. */
function spent(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function quartile(values: readonly number[], part: 1 | 2 | 3): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.round(((sorted.length - 1) * part) / 4)] ?? Number.NaN).toFixed(2);
}

function formatSpread(values: readonly number[]): string {
  return `${quartile(values, 2)} (${quartile(values, 1)} to ${quartile(values, 3)})`;
}

function measureTurns(recording: Recording, texts: readonly string[], count: number): Turn[] {
  const parse = (): unknown[] => texts.map((text) => JSON.parse(text));
  const by = (law: Catalogue) => () => judge(spec, recording, { catalogue: law, replay: (rule) => rule });
  const law = by({ rules: catalogue.rules, questions: [] });
  const all = by(catalogue);
  const times = Math.ceil(bytesOfTurn / texts.reduce((sum, { length }) => sum + length, 0));
  return Array.from({ length: warmUp + count }, () => {
    const sums = { floor: 0, law: 0, all: 0 };
    for (let time = 0; time < times; time++) {
      sums.floor += spent(parse);
      sums.law += spent(law);
      sums.all += spent(all);
    }
    return { floor: sums.floor / times, law: sums.law / sums.floor, all: sums.all / sums.floor };
  }).slice(warmUp);
}

function measure(what: string, recording: Recording, count: number): void {
  const { findings, rules } = judge(spec, recording, { replay: (rule) => rule });
  if (findings.length > 0) throw new Error(`a healthy recording is accused: ${JSON.stringify(findings[0])}`);
  const texts = recording.exchanges.map((exchange) => exchange.response?.body?.text ?? '');
  const turns = measureTurns(recording, texts, count);
  const of = (name: keyof Turn): string => formatSpread(turns.map((turn) => turn[name]));
  keepRatio(
    `judge, ${what}: the law beside JSON.parse`,
    'lower',
    turns.map((turn) => turn.law),
  );
  const passed = rules.filter((rule) => rule.outcome === 'passed' && rule.level !== 'observe').length;
  const candles = texts.reduce((sum, text) => sum + text.split('"poolId"').length - 1, 0);
  console.log(
    `${what}, ${candles} candles: JSON.parse ${of('floor')} ms; ${passed} rules × ${of('law')}; and all questions × ${of('all')}`,
  );
}

function loadAverage(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');
}

/** Numbers of candles, with the turns of each. */
const sizes = [
  [2_016, 21],
  [20_160, 21],
  [100_800, 13],
] as const;

const before = loadAverage();
for (const [count, turns] of isBrief ? ([[20_160, 7]] as const) : sizes) {
  measure('one answer', singleAnswer(count), turns);
  measure('whole series', longRecording(count), turns);
}
console.log(`load average ${before} before, ${loadAverage()} after; Node ${process.versions.node}`);
