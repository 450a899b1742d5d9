import { expect, test } from '@playwright/test';
import type { RunExplanation } from '../words/causes.ts';
import { describeWitnesses } from '../words/witness-words.ts';
import { witnessesPart } from './witnesses.ts';

const part = { candles: 24, isWrong: false };

const rows = [2, 5].map((at) => ({
  ...{ pool: 'V2 pool 1', start: 86_400 * at, end: 86_400 * (at + 1), actual: 20 * at, expected: 10 * at },
  ...{ exchange: 7, pointer: `/${at}` },
}));

const doubled: RunExplanation = {
  sentence: 'Volume of DAY candles is 2 times what other intervals show',
  ...{ interval: 'DAY', fields: ['volume'], where: '', findings: [] },
  transformation: { kind: 'factor', factor: 2 },
  rows: { wrong: 2, of: 2 },
  witnesses: {
    field: 'volume',
    parts: [
      { ...part, interval: 'HOUR' },
      { ...part, interval: 'DAY', isWrong: true },
      { ...part, interval: 'WEEK' },
    ],
    links: [
      { parts: [1, 0], agreeing: 0, of: 2, factor: 2 },
      { parts: [2, 0], agreeing: 3, of: 3 },
      { parts: [2, 1], agreeing: 0, of: 1, factor: 0.5 },
    ],
    rows,
  },
};

test('the words say in how many rows of which pool, and who agrees with whom', () => {
  expect(describeWitnesses(doubled)).toBe(
    'In all 2 rows that could be compared, of V2 pool 1. HOUR and WEEK agree with one another in 3 of 3 comparisons; DAY with others in none of 3.',
  );
});

test('an explanation without witnesses has no drawing of them', () => {
  const { witnesses: _witnesses, ...bare } = doubled;
  expect(describeWitnesses(bare)).toBeUndefined();
  expect(witnessesPart(bare, () => undefined)).toBeUndefined();
});

test('the drawing marks the wrong part alone, and links each wrong row', () => {
  const source = witnessesPart(doubled, (exchange, pointer) => `#${exchange}${pointer}`)?.source ?? '';
  expect(source.match(/class="part wrong"/g)).toHaveLength(1);
  expect(source).toContain('agrees with no other');
  expect(source).toContain('href="#7/2"');
  expect(source).toContain('×2');
  expect(source).toContain('served 100, others show 50');
});

test('texts of a target are escaped', () => {
  const witnesses = doubled.witnesses && {
    ...doubled.witnesses,
    rows: rows.map((row) => ({ ...row, pool: '<script>' })),
  };
  const source = witnessesPart({ ...doubled, ...(witnesses && { witnesses }) }, () => undefined)?.source;
  expect(source).not.toContain('<script>');
});

test('an API of many intervals has those drawn that disagree', () => {
  const names = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d'];
  const many = witnessesPart(
    {
      ...doubled,
      witnesses: {
        field: 'volume',
        parts: names.map((interval) => ({ ...part, interval, isWrong: interval === '12h' })),
        links: [
          { parts: [1, 0], agreeing: 5, of: 5 },
          { parts: [6, 5], agreeing: 0, of: 5, factor: 2 },
          { parts: [7, 6], agreeing: 0, of: 5, factor: 0.5 },
        ],
        rows,
      },
    },
    () => undefined,
  );
  expect(
    [...(many?.source ?? '').matchAll(/class="name[^"]*"[^>]*>([^<]*)/g)].map(([, name]) => name),
  ).toEqual(['1m', '5m', '15m', '4h', '12h', '1d']);
});

test('rows of several wrong intervals are not named after the first, and a ratio close to one is not one', () => {
  const witnesses = doubled.witnesses && {
    ...doubled.witnesses,
    parts: doubled.witnesses.parts.map((one) => ({ ...one, isWrong: true })),
    rows: rows.map((row) => ({ ...row, actual: 3216, expected: 3202 })),
  };
  const source =
    witnessesPart({ ...doubled, ...(witnesses && { witnesses }) }, () => undefined)?.source ?? '';
  expect(source).toContain('>Volume of candles, as served');
  expect(source).toContain('×1.004');
  expect(source).not.toContain('×1<');
});
