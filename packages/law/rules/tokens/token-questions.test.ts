import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { findContradicted, pinAfter } from '../../judge/baseline.ts';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { damageExchange, everyRow, fields, rows } from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const forty = record({ ...usualWorld, tokens: 40 });
const unit = 'a hundred-millionth of one coin';

function observeUnit(recorded: NamedRecording): string | undefined {
  return findAnswer('tokens/unit-of-price', recorded);
}

test('the unit of token prices is confirmed by what they are worth', () => {
  expect(answerInWorld('tokens/unit-of-price')).toBe(unit);
  expect(observeUnit(damageExchange(forty, 'tokens', fields(3, { priceUsd: 1e6 })))).toBe(
    `${unit} for most tokens, not for all`,
  );
});

test('the worth of one coin is also found where no token costs one', () => {
  const without = damageExchange(
    forty,
    'tokens',
    rows((all) => all.slice(1)),
  );
  expect(observeUnit(without)).toBe(unit);
});

test('prices in another unit for each token are reported', () => {
  const scaled = everyRow(({ priceUsd, decimals }) => ({
    priceUsd: Number(priceUsd) / 10 ** Number(decimals),
  }));
  expect(observeUnit(damageExchange(forty, 'tokens', scaled))).toBe('none that priceUsd agrees with');
});

test('forms of a field count where it is null or left out', () => {
  const bent = damageExchange(
    forty,
    'tokens',
    everyRow((_, row) => (row === 2 ? { icon: null } : row === 3 ? { symbol: undefined } : {})),
  );
  const reported = findAnswer('tokens/forms', bent)?.split(', ');
  expect(reported).toContain('icon null or string');
  expect(reported).toContain('symbol left out or string');
  expect(reported).toContain('decimals number');
});

test('a fifth of the tokens gone is a change, a twentieth more or less is none', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 400 }),
      fc.double({ min: -0.05, max: 0.05, noNaN: true }),
      (count, share) => {
        const reported = (tokens: number): string => answerInWorld('tokens/count', { tokens }) ?? '';
        const pin = pinAfter('tokens/count', undefined, reported(count));
        expect(
          findContradicted('tokens/count', pin, reported(Math.round(count * (1 + share)))),
        ).toBeUndefined();
        expect(findContradicted('tokens/count', pin, reported(Math.floor(count * 0.79)))).toBe(pin);
      },
    ),
    { numRuns: 10 },
  );
});

/** Changes every list of tokens, or the last one alone. */
function withLists(change: Parameters<typeof rows>[0], which: 'all' | 'last'): NamedRecording {
  const lists = forty.names.filter((_, at) => {
    const { request, response } = forty.recording.exchanges[at] ?? {};
    return request?.url.endsWith('/tokens') && response?.body?.text.startsWith('[');
  });
  expect(lists.length).toBeGreaterThan(1);
  const changed = which === 'all' ? lists : lists.slice(-1);
  return changed.reduce((recorded, request) => damageExchange(recorded, request, rows(change)), forty);
}

const many = (list: readonly unknown[]): unknown[] => Array.from({ length: 1419 }, () => list[0]);

test('the number of tokens is that of all lists, its thousands separated', () => {
  const count = (recorded: NamedRecording) => findAnswer('tokens/count', recorded)?.split('; or ');
  expect(count(withLists(many, 'all'))).toEqual(['about 1,399', 'about 1,539']);
  expect(count(withLists(many, 'last'))).toContain('about 41 to about 1,399');
  expect(count(withLists((list) => list.slice(1), 'last'))).toContain('about 41');
});

test('the forms of a field are those of all lists', () => {
  const bent = withLists((list) => list.map((row) => ({ ...(row as object), icon: null })), 'last');
  expect(findAnswer('tokens/forms', bent)).toContain('icon null or string');
});
