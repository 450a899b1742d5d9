import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { worlds } from '../testing/arbitraries.ts';
import { judgeIt } from '../testing/breach-case.ts';
import { damaged, rows, withExchanges } from '../testing/damage.ts';
import { record } from '../testing/recorded.ts';
import { type Membership, usualWorld, type World } from '../testing/world.ts';

function answersOf(world: World): Map<string, string> {
  return new Map(judgeIt(record(world)).observations.map((each) => [each.id, each.answer]));
}

function answer(id: string, choice: Partial<World> = {}): string | undefined {
  return answersOf({ ...usualWorld, ...choice }).get(id);
}

/** Each way of reading the edges in the words of the answer. */
const edges: Readonly<Record<Membership, string>> = {
  'floored from <= E <= to': 'floored from <= end <= to',
  'from <= S < to': 'from <= start < to',
  'meets [from, to]': 'the interval meets [from, to]',
  'from <= S <= to': 'from <= start <= to',
  'floored from <= S, E <= to': 'floored from <= start, end <= to',
  'from <= S, E <= to': 'from <= start, end <= to',
};

for (const membership of Object.keys(edges) as Membership[]) {
  test(`the edges of a range are read as ${edges[membership]}`, () => {
    const told = answer('history/edges-of-the-range', { membership })?.split('; or ');
    expect(told).toContain(edges[membership]);
    expect(told?.length).toBeLessThanOrEqual(2);
  });
}

test('edges that fit no usual reading are described', () => {
  const healthy = record(usualWorld);
  const names = healthy.names.filter((each) => /^(recent|week)/.test(each) && !each.endsWith('unkeyed'));
  const cut = names.reduce(
    (recorded, name) =>
      damaged(
        recorded,
        name,
        rows((all) => all.slice(2, -2)),
      ),
    healthy,
  );
  const told = judgeIt(cut).observations.find((each) => each.id === 'history/edges-of-the-range');
  expect(told?.answer).toMatch(
    /^none of the usual readings; first start − from = -?\d+ s, last start − to = -\d+ s/,
  );
});

test('the order of rows is the one that the service keeps', () => {
  expect(answer('history/order-of-rows')).toBe('ascending');
  expect(answer('history/order-of-rows', { descending: true })).toBe('descending');
});

test('the open candle is seen or missed in histories that reach the present', () => {
  expect(answer('history/open-candle')).toBe('included');
  expect(answer('history/open-candle', { openInHistory: false })).toBe('left out');
});

const stamps: [Partial<World>, string][] = [
  [{}, 'closed: start of the next, open: last observation'],
  [{ endsEarly: 1 }, 'closed: 1 s before the next, open: last observation'],
  [{ endsEarly: 60, openEnd: 'interval end' }, 'closed: 60 s before the next, open: interval end'],
];

for (const [choice, told] of stamps) {
  test(`end stamps are told as ${told}`, () => {
    expect(answer('candle/end-stamps', choice)).toBe(told);
  });
}

const phases: [Partial<World>, string][] = [
  [{}, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Monday 00:00 UTC'],
  [{ weekPhase: 259_200 }, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Sunday 00:00 UTC'],
  [{ weekPhase: 0 }, 'FIVEMIN UTC, HOUR UTC, DAY UTC, WEEK Thursday 00:00 UTC'],
  [{ dayPhase: 14_400 }, 'FIVEMIN UTC, HOUR UTC, DAY 14400 s after UTC, WEEK Monday 14400 s after 00:00 UTC'],
];

for (const [choice, told] of phases) {
  test(`intervals begin at ${told}`, () => {
    expect(answer('candle/phase', choice)).toBe(told);
  });
}

test('digits of prices are counted, full doubles are told as such', () => {
  expect(answer('candle/precision')).toBe('full double precision');
  expect(answer('candle/precision', { digits: 6 })).toBe('6 significant digits');
});

test('fields beside the documented ones are listed by name', () => {
  expect(answer('candle/extra-fields')).toBe('none');
  expect(answer('candle/extra-fields', { extraFields: true })).toBe('createdAt, id, name, source');
});

test('the constant of inversion is told as it is', () => {
  expect(answer('inversion/constant')).toBe('1');
  expect(answer('inversion/constant', { constant: 1e16 })).toBe('10000000000000000');
});

test('the lag of the latest candle is told in minutes beyond two', () => {
  expect(answer('latest/lag')).toBe('within two minutes');
  expect(answer('latest/lag', { lag: 250 })).toMatch(/^up to [56] minutes$/);
});

test('no answer depends on chance or on the time of asking', () => {
  const telling = ['history/order-of-rows', 'candle/extra-fields', 'inversion/constant'];
  fc.assert(
    fc.property(worlds, (world) => {
      const told = answersOf(world);
      const expected = [
        world.descending ? 'descending' : 'ascending',
        world.extraFields ? 'createdAt, id, name, source' : 'none',
        String(world.constant),
      ];
      for (const [at, id] of telling.entries()) expect([expected[at], undefined]).toContain(told.get(id));
    }),
    { numRuns: 15 },
  );
});

test('a recording of tokens alone answers nothing about candles', () => {
  const healthy = record(usualWorld);
  const tokens = withExchanges(healthy, (all) => all.filter((each) => each.request.url.endsWith('/tokens')));
  const told = judgeIt(tokens).observations.map((each) => each.id);
  expect(told.filter((id) => /^(history|latest|inversion)/.test(id) || id === 'candle/phase')).toEqual([]);
});
