import { expect, test } from '@playwright/test';
import { judge } from '../../judge/judge.ts';
import { stage, tradingSpec } from '../../worlds/breach-case.ts';
import { fields } from '../../worlds/damage.ts';

test('an average of 0 beside a volume of 0 is a breach of our document alone', () => {
  const nothing = { avg: 0, volume: '0', volumeUsd: '0' };
  const setting = { what: 'an average of nothing', at: 'recent HOUR of 2', world: { trading: true } };
  const { recording } = stage({ ...setting, damage: fields(5, nothing) });
  const listBroken = (isOurs: boolean): string[] =>
    judge({ ...tradingSpec(), isOurs }, recording, { replay: (rule) => rule }).findings.map(
      ({ rule }) => rule,
    );
  expect(listBroken(false)).toEqual([]);
  expect(listBroken(true)).toEqual(['candle/average-is-within-range']);
});
