import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { worlds } from '../worlds/arbitraries.ts';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, everyRow, type Fields, fields, rows } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { listComparisons } from './comparisons.ts';
import { findTwoWrong, findWrong } from './scopes.ts';
import { nameField } from './words.ts';

const healthy = record({ ...usualWorld, poolsV2: [1, 2, 3, 4] });

/** Changes every row of the histories of an interval and direction, such as `HOUR` or `DAY inverted`. */
function change(part: RegExp, fields: (row: Fields) => Fields, recorded = healthy): NamedRecording {
  const names = recorded.names.filter((name, at) => {
    const isList = recorded.recording.exchanges[at]?.response?.body?.text.startsWith('[');
    return isList && /^(recent|week|one)/.test(name) && part.test(name);
  });
  return names.reduce((changed, name) => damageExchange(changed, name, everyRow(fields)), recorded);
}

const hours = /HOUR(?!.*inverted)/;
const days = /DAY(?!.*inverted)/;
const everyDay = /DAY/;
const invertedHours = /HOUR.*inverted/;

const scale =
  (names: readonly string[], factor: number) =>
  (row: Fields): Fields =>
    Object.fromEntries(names.map((name) => [name, Number(row[name]) * factor]));

const prices = ['open', 'high', 'low', 'close', 'avg'];

const doubleVolume = ({ volume }: Fields): Fields => ({ volume: String(2n * BigInt(String(volume))) });

const cases: readonly {
  readonly what: string;
  readonly part: RegExp;
  readonly fields: (row: Fields) => Fields;
  readonly sentence: string;
}[] = [
  {
    what: 'prices times a number',
    part: invertedHours,
    fields: scale(prices, 1.5),
    sentence: 'Open, high, low and close of inverted HOUR candles are 1.5 times what the plain candles show',
  },
  {
    what: 'volumes that are doubled',
    part: everyDay,
    fields: doubleVolume,
    sentence: 'Volume of DAY candles is 2 times what other intervals show',
  },
  {
    what: 'volumes of the shortest candles that are doubled',
    part: /FIVEMIN/,
    fields: doubleVolume,
    sentence: 'Volume of FIVEMIN candles is 2 times what other intervals show',
  },
  {
    what: 'open and close in each other’s place',
    part: hours,
    fields: ({ open, close }) => ({ open: close, close: open }),
    sentence: 'Open and close of plain HOUR candles are exchanged',
  },
  {
    what: 'rounded prices',
    part: days,
    fields: ({ open, close }) => ({
      open: Number(Number(open).toPrecision(4)),
      close: Number(Number(close).toPrecision(4)),
    }),
    sentence: 'Open and close of plain DAY candles are rounded to 4 digits',
  },
  {
    what: 'amounts that are nothing',
    part: /HOUR/,
    fields: () => ({ volumeUsd: '0' }),
    sentence: 'volumeUsd of HOUR candles is 0',
  },
];

for (const { what, part, fields, sentence } of cases)
  test(`${what} are explained by their part and what was done to it`, () => {
    const { explanations = [], findings } = judgeIt(change(part, fields));
    expect(explanations.map((one) => one.sentence)[0]).toBe(sentence);
    const named = new Set(findings.map(({ fingerprint }) => fingerprint));
    expect(explanations[0]?.findings.every((fingerprint) => named.has(fingerprint))).toBe(true);
  });

const onMonday = record({ ...usualWorld, now: Date.parse('2026-03-16T10:37:25Z') / 1000 });

test('volumes of latest candles are explained with those of histories', () => {
  const twice = damageExchange(
    change(everyDay, doubleVolume, onMonday),
    'latest DAY',
    fields(0, doubleVolume),
  );
  const { explanations = [], findings } = judgeIt(twice);
  expect(findings.map(({ rule }) => rule)).toContain('latest/intervals-agree');
  expect(explanations.map(({ sentence }) => sentence)).toEqual([
    'Volume of DAY candles is 2 times what other intervals show',
  ]);
  expect(explanations[0]?.findings.length).toBe(findings.length);
});

test('two parts that are wrong are both explained', () => {
  const both = change(invertedHours, scale(prices, 1.5), change(/DAY/, doubleVolume));
  const { explanations = [] } = judgeIt(both);
  expect(explanations.map(({ sentence }) => sentence)).toEqual([
    'Open, high, low and close of inverted HOUR candles are 1.5 times what the plain candles show',
    'Volume of DAY candles is 2 times what other intervals show',
  ]);
});

test('two parts that are wrong in one field are found by setting either aside', () => {
  const dear = ({ volume }: Fields): Fields => ({ volume: String((BigInt(String(volume)) * 102n) / 100n) });
  const { evidence } = judgeIt(change(/DAY/, doubleVolume, change(/HOUR/, dear)));
  const comparisons = listComparisons(evidence);
  expect(findWrong('volume', comparisons)).toEqual([]);
  expect(findTwoWrong('volume', comparisons).map(([part]) => part)).toEqual([
    { length: 3600 },
    { length: 86_400 },
  ]);
});

test('a field that is a letter is named by its role', () => {
  const named = (low: string): string => nameField({ reading: { fields: { low } } } as never, 'low');
  expect([named('l'), named('3'), named('lowest')]).toEqual(['low', 'low', 'lowest']);
});

test('a low that is too high is not blamed on an open at the close before', () => {
  let row = 0;
  const chain = rows((all) =>
    all.map((each, at) => {
      const [open, close] = [Number(all[at - 1]?.close ?? each.open), Number(each.close)];
      const [low, high] = [Math.min(open, close), Math.max(open, close)];
      const step = row++ % 5 === 0 ? (high - low) / 4 : 0;
      return { ...each, open, high, low: low + step, avg: low + 0.3 * (high - low) };
    }),
  );
  const chained = healthy.names
    .filter((name, at) => {
      const isList = healthy.recording.exchanges[at]?.response?.body?.text.startsWith('[');
      return isList && /^(recent|week|one)/.test(name) && !/inverted/.test(name);
    })
    .reduce((recorded, name) => damageExchange(recorded, name, chain), healthy);
  const { explanations = [], findings } = judgeIt(chained);
  const low = findings.find(({ rule }) => rule === 'candle/low-is-lowest');
  const causes = explanations.filter((one) => low && one.findings.includes(low.fingerprint));
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    'Low lies above open or close, only of listV2PoolCandles',
  ]);
});

test('the first example of an explained finding lies in the part that is wrong', () => {
  const { explanations, findings } = judgeIt(change(/DAY/, doubleVolume));
  const summed = findings.find(({ rule }) => rule === 'rollup/volume-is-summed');
  expect(explanations?.[0]?.findings).toContain(summed?.fingerprint);
  expect(summed?.examples.some(({ request }) => request?.url.includes('WEEK'))).toBe(true);
  expect(summed?.examples[0]?.request?.url).toContain('interval=DAY');
  expect(summed).toMatchObject({
    exchange: summed?.examples[0]?.exchange,
    expected: summed?.examples[0]?.expected,
  });
});

test('what no transformation explains is left at what the findings show', () => {
  let row = 0;
  const shaken = change(hours, ({ open }) => ({ open: Number(open) * (1 + (row++ % 7) / 1000) }));
  const { explanations, findings } = judgeIt(shaken);
  expect(findings.length).toBeGreaterThan(0);
  expect(explanations?.map(({ transformation }) => transformation.kind)).toEqual(['outside', 'changing']);
});

test('rows of another age among missing ones cost no walk through all that lies between', () => {
  const far = { startTimestampSeconds: 4_000_000_200, timestampSeconds: 4_000_000_500 };
  const tear = rows((all) => [...all.filter((_, at) => at < 5 || at > 8), { ...all.at(-1), ...far }]);
  const torn = healthy.names
    .filter((name) => /^(recent|week|one).*FIVEMIN/.test(name))
    .reduce((recorded, name) => damageExchange(recorded, name, tear), healthy);
  judgeIt(healthy);
  const began = process.cpuUsage();
  judgeIt(healthy);
  const usual = process.cpuUsage(began).user;
  const { findings } = judgeIt(torn);
  expect(findings.map(({ rule }) => rule)).toContain('history/complete');
  expect(process.cpuUsage(began).user).toBeLessThan(30 * usual);
});

test('a sound market has no explanation', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      expect(judgeIt(record(world)).explanations).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
