import { expect, test } from '@playwright/test';
import { describeProof, proofsJson, rankProofs, shareFault } from './proofs.ts';

const must = (id: string) => ({ id, level: 'must' }) as const;

test('a rule is proven by its faults, the one with its limit first', () => {
  const rule = 'candle/average-is-within-range';
  const [finest, ...others] = rankProofs(rule);
  expect(finest && `${finest.number} ${describeProof(finest, rule)}`).toBe(
    'F31 avg is the sum over time: close times the seconds of the bucket, found from 10⁻⁹ of the way there',
  );
  expect(others.map(({ number }) => number)).toEqual(['F34', 'F70']);
  expect(rankProofs('transport/length-agrees')).toEqual([]);
});

test('rules share a fault that breaks both', () => {
  expect(shareFault('candle/high-is-highest', 'candle/low-is-lowest')).toBe(true);
  expect(shareFault('candle/high-is-highest', 'tokens/ids-are-unique')).toBe(false);
});

test('what is kept of a matrix are its found faults, bystanders left out', () => {
  const kill = { class: 'OHLC', scene: 'one check', requests: 49, milliseconds: 3 } as const;
  const low = must('candle/low');
  const found = { ...kill, id: 'low', number: 'F1', title: 'low is high', breaks: [low] };
  const text = proofsJson({
    kills: [
      {
        ...found,
        foundBy: [must('other/rule'), low],
        limit: { unit: 'percent', usual: 5, smallest: 0.1, foundBy: [low] },
      },
      { ...kill, id: 'lives', number: 'F2', title: 'it lives', breaks: [low], foundBy: [] },
    ],
  });
  expect(JSON.parse(text)).toEqual([
    {
      ...{ number: 'F1', id: 'low', title: 'low is high', foundBy: ['candle/low'] },
      limit: { smallest: 0.1, unit: 'percent', rule: 'candle/low' },
    },
  ]);
});
