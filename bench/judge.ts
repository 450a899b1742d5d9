/**
 * What judging costs, strict parse included, beside JSON.parse of the same bytes: one answer of five-minute candles,
 * and the same candles with their inverted twins, all roll-ups and two overlapping halves, so that the rules of
 * series are at work as well. Rounds of both take turns, and the middle one counts: what slows the machine down
 * for a while slows down both. Run it with `npm run bench`.
 */

import { loadSpec } from '../contract/document/load-spec.ts';
import { judge } from '../contract/judge/judge.ts';
import { type Catalogue, catalogue } from '../contract/law/catalogue.ts';
import type { Recording } from '../contract/reading/exchange.ts';
import { longRecording, singleAnswer } from './recording.ts';

const spec = loadSpec('openapi.yaml');

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function measure(what: string, recording: Recording, rounds: number): void {
  const texts = recording.exchanges.map((each) => each.response?.body?.text ?? '');
  const parse = (): unknown[] => texts.map((each) => JSON.parse(each));
  const by = (law: Catalogue) => judge(spec, recording, { catalogue: law, replay: (rule) => rule });
  const law = { rules: catalogue.rules, questions: [] };
  const { findings, rules } = by(catalogue);
  if (findings.length > 0) throw new Error(`a healthy recording is accused: ${JSON.stringify(findings[0])}`);
  const turns = Array.from({ length: rounds }, () => {
    const floor = timed(parse);
    return { floor, law: timed(() => by(law)) / floor, all: timed(() => by(catalogue)) / floor };
  }).slice(rounds >> 2);
  const of = (name: 'floor' | 'law' | 'all'): string => middle(turns.map((each) => each[name])).toFixed(2);
  const passed = rules.filter((each) => each.outcome === 'passed' && each.level !== 'observe').length;
  const candles = texts.reduce((count, each) => count + each.split('"poolId"').length - 1, 0);
  console.log(
    `${what}, ${candles} candles: JSON.parse ${of('floor')} ms; ${passed} rules ${of('law')} times that, with all questions ${of('all')}`,
  );
}

for (const [count, rounds] of [
  [2_016, 120],
  [20_160, 24],
  [100_800, 12],
] as const) {
  measure('one answer', singleAnswer(count), rounds);
  measure('whole series', longRecording(count), rounds);
}
