import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Distort, everyRow, type Fields, fields, rows, text, value } from '../../worlds/damage.ts';

const inTokens = { at: 'tokens' } as const;

/** Replaces one field of the second token. */
function oddValue(rule: string, field: string, value: unknown, expected: string | RegExp): BreachCase {
  return {
    ...inTokens,
    rule,
    what: `${field} ${JSON.stringify(value)}`,
    damage: fields(1, { [field]: value }),
    pointer: `/*/${field}`,
    expected,
    actual: JSON.stringify(value),
  };
}

function fine(rule: string, change: Fields): NearMiss {
  return { rule, what: JSON.stringify(change), at: 'tokens', damage: fields(1, change) };
}

const names = ['id', 'icon', 'symbol', 'decimals', 'price', 'priceUsd', 'dueDiligenceComplete'];

const types = 'tokens/documented-types';

function oddWholeAnswer(what: string, damage: Distort, actual: string): BreachCase {
  return { ...inTokens, rule: 'tokens/answer-is-a-list', what, damage, expected: 'a list', actual };
}

export const tokenBreaches: readonly BreachCase[] = [
  oddWholeAnswer(
    'a wrapped list',
    value((list) => ({ tokens: list })),
    'an object with tokens',
  ),
  oddWholeAnswer('nothing but null', text('null'), 'null'),
  {
    ...inTokens,
    rule: 'transport/strict-json',
    what: 'a page in the place of the list',
    damage: text('<p>'),
    expected: 'exactly one JSON value',
    actual: /./,
  },
  oddValue(types, 'decimals', '8', 'type integer'),
  oddValue(types, 'decimals', 8.5, 'type integer'),
  oddValue(types, 'priceUsd', '0.05', 'type number'),
  oddValue(types, 'decimals', '80', 'type integer'),
  oddValue(types, 'priceUsd', '-0.05', 'type number'),
  oddValue(types, 'dueDiligenceComplete', 1, 'type boolean'),
  oddValue(types, 'isFeeOnTransferToken', 'false', 'type boolean'),
  oddValue(types, 'icon', null, 'type string'),
  oddValue(types, 'symbol', null, 'type string'),
  oddValue(types, 'price', 100, 'type string'),
  oddValue(types, 'id', 1005, 'type string'),
  {
    ...inTokens,
    rule: types,
    what: 'a token that is none',
    damage: rows((list) => [...list, 'HBAR']),
    pointer: '/*',
    expected: 'type object',
    actual: '"HBAR"',
  },
  ...['0.0.07', '0.0', '0.0.1.2', '0x0.0.1', '-1.0.1', ' 0.0.1'].map((id) =>
    oddValue('tokens/id-is-three-integers', 'id', id, /^three whole numbers joined by dots/),
  ),
  ...[
    'https://cdn.invalid/a.png',
    '//cdn.invalid/a.png',
    'data:image/png,a',
    ' https://cdn.invalid/a.png',
    'ht\ttps://cdn.invalid/a.png',
    '/\\cdn.invalid/a.png',
  ].map((icon) =>
    oddValue('tokens/icon-is-relative', 'icon', icon, 'a relative path, without scheme or host'),
  ),
  oddValue('tokens/decimals-are-a-count', 'decimals', -1, '0 or more'),
  ...['1.0', '-5', '1e8', '007', '', '+1', '1 000'].map((price) =>
    oddValue('tokens/price-is-integer-text', 'price', price, /^a whole number as text/),
  ),
  ...names.map(
    (name): BreachCase => ({
      ...inTokens,
      rule: 'tokens/all-fields-present',
      what: `no ${name}`,
      damage: fields(1, { [name]: undefined }),
      pointer: `/*/${name}`,
      expected: 'this field, which the document names',
      actual: 'nothing',
    }),
  ),
  oddValue('tokens/symbol-is-visible', 'symbol', '', 'a visible ticker'),
  oddValue('tokens/symbol-is-visible', 'symbol', ' \t', 'a visible ticker'),
  oddValue('tokens/symbol-is-visible', 'symbol', '\u200B\u2060\0', 'a visible ticker'),
  oddValue('tokens/symbol-is-visible', 'symbol', '\u{1f9c1}'.charAt(0), 'a ticker of whole characters'),
  oddValue('tokens/decimals-are-sane', 'decimals', 19, 'at most 18'),
  oddValue('tokens/usd-price-is-not-negative', 'priceUsd', -0.01, 'zero or more'),
  {
    ...inTokens,
    rule: 'tokens/ids-are-unique',
    what: 'the first token again, twice',
    damage: rows((list) => [...list, ...list.slice(0, 1), ...list.slice(0, 1)]),
    pointer: '/*/id',
    expected: 'an id other than that of /0',
    actual: '"0.0.1000"',
    count: 2,
  },
  {
    ...inTokens,
    rule: 'tokens/list-is-filled',
    what: 'an empty list',
    damage: text('[]'),
    expected: 'at least one token',
    actual: 'an empty list',
  },
];

export const listBreaches: readonly BreachCase[] = [
  {
    rule: 'tokens/list-stays',
    at: 'trial header-in-capitals',
    what: 'a second list without its last token',
    damage: rows((list) => list.slice(0, -1)),
    expected: 'the tokens that the list before holds',
    actual: /^1 fewer: "0\.0\.\d+"$/,
  },
];

export const listNearMisses: readonly NearMiss[] = [
  {
    rule: 'tokens/list-stays',
    at: 'trial header-in-capitals',
    what: 'a second list with another token and other prices',
    damage: everyRow((_, at) => (at === 0 ? { id: '0.0.7' } : { priceUsd: 7 })),
  },
];

export const tokenNearMisses: readonly NearMiss[] = [
  fine('tokens/icon-is-relative', { icon: '' }),
  fine('tokens/icon-is-relative', { icon: 'images/a//b.png?c=https://d' }),
  fine('tokens/id-is-three-integers', { id: '0.0.0' }),
  fine('tokens/decimals-are-a-count', { decimals: 0 }),
  fine('tokens/decimals-are-sane', { decimals: 18 }),
  fine('tokens/price-is-integer-text', { price: '0', priceUsd: 0 }),
  fine('tokens/price-is-integer-text', { price: '9'.repeat(60) }),
  fine('tokens/usd-price-is-not-negative', { priceUsd: 0 }),
  fine('tokens/symbol-is-visible', { symbol: 'ℏ' }),
  fine('tokens/symbol-is-visible', { symbol: '\u{1f9c1}' }),
  fine('tokens/ids-are-unique', { symbol: 'T0' }),
  fine('tokens/documented-types', { name: null, tags: [1, { a: true }] }),
];
