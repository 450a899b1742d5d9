import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { cleanRun, sampleRun } from '../testing/sample-run.ts';
import { causeExtent, causeHeadline, causeRules, findCauses } from './causes.ts';

const [sample] = sampleRun.findings;

type Sketch = Partial<Finding> & { readonly rule: string; readonly at?: number };

function makeRun(...sketches: readonly Sketch[]): Run {
  const findings = sketches.flatMap(({ at = 0, ...rest }) =>
    sample
      ? [{ ...sample, ...rest, examples: sample.examples.map((one) => ({ ...one, exchange: at })) }]
      : [],
  );
  return { ...cleanRun, verdict: 'nonconformant', findings };
}

const listRules = (run: Run): string[][] => findCauses(run).map(causeRules);

test('the worst consequence comes first, whatever its level', () => {
  const run = makeRun(
    { rule: 'transport/media-type-is-json' },
    { rule: 'history/complete' },
    { rule: 'candle/prices-are-positive', level: 'should' },
  );
  expect(listRules(run)).toEqual([
    ['candle/prices-are-positive'],
    ['history/complete'],
    ['transport/media-type-is-json'],
  ]);
});

test('one rule at several operations is one cause, with all of what was judged', () => {
  const extent = (broken: number) => ({ broken, judged: 9, unit: 'answer' }) as const;
  const run = makeRun(
    { rule: 'transport/media-type-is-json', operation: 'listTokens', extent: extent(9) },
    { rule: 'transport/media-type-is-json', operation: 'listV2PoolCandles', extent: extent(4) },
  );
  expect(findCauses(run).map(causeExtent)).toEqual(['13 of 18 answers of 2 operations']);
});

test('two rules that one fault breaks in one response are one cause', () => {
  const both = [{ rule: 'candle/high-is-highest' }, { rule: 'candle/low-is-lowest' }] as const;
  expect(listRules(makeRun(...both))).toEqual([['candle/high-is-highest', 'candle/low-is-lowest']]);
  expect(listRules(makeRun(both[0], { ...both[1], at: 5 }))).toHaveLength(2);
  expect(listRules(makeRun(both[0], { rule: 'history/complete' }))).toHaveLength(2);
});

test('what the baseline knows comes last, and apart', () => {
  const known = { reason: 'agreed', until: '2026-01-01' };
  const run = makeRun({ rule: 'candle/high-is-highest', known }, { rule: 'candle/low-is-lowest' });
  expect(listRules(run)).toEqual([['candle/low-is-lowest'], ['candle/high-is-highest']]);
});

test('a cause names the rules that it hides', () => {
  const run = makeRun({ rule: 'transport/strict-json' }, { rule: 'history/complete' });
  const rules = run.rules.map((rule) =>
    rule.id.startsWith('tokens/') ? { ...rule, hiddenBy: 'transport/strict-json' } : rule,
  );
  const hides = findCauses({ ...run, rules }).map((cause) => cause.hides.map(({ id }) => id.split('/')[0]));
  expect(hides[0]).toEqual([]);
  expect(new Set(hides[1])).toEqual(new Set(['tokens']));
});

test('what an explanation names is one cause, which comes first and has its sentence', () => {
  const sentence = 'Volume of DAY candles is 2 times what other intervals show';
  const run = makeRun(
    { rule: 'latest/intervals-agree', fingerprint: 'a' },
    { rule: 'rollup/volume-is-summed', fingerprint: 'b' },
    { rule: 'rollup/open-is-made-of-its-parts', fingerprint: 'c' },
  );
  const explanations: Run['explanations'] = [
    {
      sentence,
      interval: 'DAY',
      fields: ['volume'],
      transformation: { kind: 'factor', factor: 2 },
      where: '',
      rows: { wrong: 17, of: 17 },
      findings: ['b', 'c'],
    },
  ];
  const causes = findCauses({ ...run, explanations });
  expect(causes.map(causeRules)).toEqual([
    ['rollup/volume-is-summed', 'rollup/open-is-made-of-its-parts'],
    ['latest/intervals-agree'],
  ]);
  expect(causeHeadline({ ...run, explanations }, causes)).toBe(`${sentence}, and 1 more cause`);
});
