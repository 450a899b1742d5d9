import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { worlds } from '../../worlds/arbitraries.ts';
import { answerInWorld, findAnswer, judgeIt, observeAnswers } from '../../worlds/breach-case.ts';
import { everyRow, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld, type World } from '../../worlds/world.ts';

const stamps: [Partial<World>, string][] = [
  [{}, 'closed: start of the next, open: last observation'],
  [{ endsEarly: 1 }, 'closed: 1 s before the next, open: last observation'],
  [{ endsEarly: 60, openEnd: 'interval end' }, 'closed: 60 s before the next, open: interval end'],
];

for (const [choice, reported] of stamps) {
  test(`end stamps are reported as ${reported}`, () => {
    expect(answerInWorld('candle/end-stamps', choice)).toBe(reported);
  });
}

const phases: [Partial<World>, string][] = [
  [{}, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Monday 00:00 UTC'],
  [{ weekPhase: 259_200 }, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Sunday 00:00 UTC'],
  [{ weekPhase: 0 }, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Thursday 00:00 UTC'],
  [{ dayPhase: 14_400 }, 'FIVEMIN UTC, HOUR UTC, DAY 14400 s after UTC, WEEK Monday 14400 s after 00:00 UTC'],
];

for (const [choice, reported] of phases) {
  test(`intervals begin at ${reported}`, () => {
    expect(answerInWorld('candle/phase', choice)).toBe(reported);
  });
}

test('digits of prices are counted, full doubles are reported as such', () => {
  expect(answerInWorld('candle/precision')).toBe(
    'history full double precision, latest full double precision',
  );
  expect(answerInWorld('candle/precision', { digits: 6 })).toBe('history 6 significant digits');
  expect(answerInWorld('candle/precision', { prices: 'flat', digits: 6, poolsV2: [1] })).toBeUndefined();
});

test('prices that went through single precision are reported as such', () => {
  const single = everyRow(({ close }) => ({ close: Math.fround(Number(close)) }));
  const bent = withExchanges(record(usualWorld), (all) =>
    all.map((exchange) =>
      /\/v2\//.test(exchange.request.url) && exchange.response?.status === 200 ? single(exchange) : exchange,
    ),
  );
  expect(findAnswer('candle/precision', bent)).toBe('history single precision, latest full double precision');
});

test('fields beside the documented ones are listed by name', () => {
  expect(answerInWorld('candle/extra-fields')).toBe('tokens none, history none, latest none');
  expect(answerInWorld('candle/extra-fields', { extraFields: true })).toBe(
    'tokens createdAt name, history id source, latest id source',
  );
});

test('no answer depends on chance or on the time of asking', () => {
  const telling = ['history/order-of-rows', 'candle/extra-fields', 'inversion/constant'];
  fc.assert(
    fc.property(worlds, (world) => {
      const reported = observeAnswers(world);
      const expected = [
        world.descending ? 'descending' : 'ascending',
        world.extraFields ? 'tokens createdAt name' : 'tokens none',
        String(world.constant),
      ];
      for (const [at, id] of telling.entries())
        expect([expected[at], undefined]).toContain(reported.get(id)?.split(', ')[0]);
    }),
    { numRuns: 15 },
  );
});

test('a recording of tokens alone answers nothing about candles', () => {
  const healthy = record(usualWorld);
  const tokens = withExchanges(healthy, (all) =>
    all.filter((exchange) => exchange.request.url.endsWith('/tokens')),
  );
  const reported = judgeIt(tokens).observations.map((observation) => observation.id);
  expect(reported.filter((id) => /^(history|latest|inversion)/.test(id) || id === 'candle/phase')).toEqual(
    [],
  );
});
