/**
 * What judging costs, strict parse included, beside JSON.parse of the same bytes: one answer of five-minute candles,
 * and the same candles with their inverted twins, all roll-ups and two overlapping halves, so that the rules of
 * series are at work as well. It is counted in processor time of all threads, the collector's too, so that other work
 * on the machine counts little; what slows the processor itself down for a while slows down both alike, since each
 * parsing is followed by a judging. Of the turns' ratios the middle one is printed, and the quartiles beside it.
 * Run it with `npm run bench`.
 */

import { loadavg } from 'node:os';
import { loadSpec } from '../contract/document/load-spec.ts';
import { judge } from '../contract/judge/judge.ts';
import { type Catalogue, catalogue } from '../contract/law/catalogue.ts';
import type { Recording } from '../contract/reading/exchange.ts';
import { longRecording, singleAnswer } from './recording.ts';

const spec = loadSpec('openapi.yaml');

/** Bytes that are parsed in one turn at least: the collector works now and then, and has to be met in each of them. */
const bytesOfTurn = 20e6;

/** Turns that are not counted: the code is compiled in them. */
const warmUp = 3;

type Turn = { readonly floor: number; readonly law: number; readonly all: number };

/** Milliseconds of processor time. */
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

function spreadOf(values: readonly number[]): string {
  return `${quartile(values, 2)} (${quartile(values, 1)} to ${quartile(values, 3)})`;
}

function turnsOf(recording: Recording, texts: readonly string[], count: number): Turn[] {
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
  const turns = turnsOf(recording, texts, count);
  const of = (name: keyof Turn): string => spreadOf(turns.map((turn) => turn[name]));
  const passed = rules.filter((rule) => rule.outcome === 'passed' && rule.level !== 'observe').length;
  const candles = texts.reduce((sum, text) => sum + text.split('"poolId"').length - 1, 0);
  console.log(
    `${what}, ${candles} candles: JSON.parse ${of('floor')} ms; ${passed} rules × ${of('law')}; and all questions × ${of('all')}`,
  );
}

function loadAverage(): string {
  return loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
}

const before = loadAverage();
for (const [count, turns] of [
  [2_016, 21],
  [20_160, 21],
  [100_800, 13],
] as const) {
  measure('one answer', singleAnswer(count), turns);
  measure('whole series', longRecording(count), turns);
}
console.log(`load average ${before} before, ${loadAverage()} after; Node ${process.versions.node}`);
