import { checkDepartures, concernsWhole } from '../checks.ts';
import { tokenList, tokensTwice } from '../needs.ts';
import type { Rule } from '../rule.ts';
import {
  checkFilled,
  checkForm,
  checkPresence,
  checkStay,
  checkUnique,
  findFormRole,
  findSymbolFault,
  tokenCheck,
} from './token-checks.ts';

/** The most decimal places that any chain's tokens have. */
const mostDecimals = 18;

const needs = [tokenList];

const must = { section: '2.1', level: 'must', needs } as const;

const should = { section: '2.1', level: 'should', needs } as const;

export const tokenRules: readonly Rule[] = [
  {
    id: 'tokens/answer-is-a-list',
    consequence: 'form',
    section: '4.1',
    level: 'must',
    statement: 'The token list is a JSON array.',
    broken: 'The token list is not a JSON array',
    why: 'Clients iterate over it; anything else breaks them at once.',
    restsOn: ['tokens'],
    needs,
    check: checkDepartures(['tokens'], concernsWhole),
  },
  {
    id: 'tokens/documented-types',
    consequence: 'form',
    ...must,
    statement: 'Every field of a token that is present has its documented type.',
    broken: 'Fields of tokens have undocumented types',
    why: 'A price sent as a number loses digits beyond 2^53; a boolean sent as 1 fails typed clients.',
    restsOn: ['token'],
    namesFields: true,
    check: checkDepartures(
      ['tokens'],
      (misshapen, operation) => !concernsWhole(misshapen) && findFormRole(misshapen, operation) === undefined,
    ),
  },
  {
    id: 'tokens/id-is-three-integers',
    ...must,
    uses: ['token-id'],
    statement: 'A token id is three integers joined by dots, without leading zeros.',
    broken: 'Token ids are malformed',
    why: 'The id is the key by which a token is found on the ledger.',
    restsOn: ['token-id'],
    check: checkForm('id'),
  },
  {
    id: 'tokens/icon-is-relative',
    ...must,
    uses: ['token-icon'],
    statement: 'The icon is a relative path without scheme or host.',
    broken: 'Icons of tokens are not relative paths',
    why: 'Clients prepend their own image host; an absolute address gives a broken or foreign image.',
    exactly:
      'neither `scheme:` nor `//` at its beginning, read as browsers do: leading blanks and controls are skipped, `\\` is `/`.',
    restsOn: ['token-icon'],
    check: checkForm('icon'),
  },
  {
    id: 'tokens/decimals-are-a-count',
    ...must,
    uses: ['token-decimals'],
    statement: 'Decimals are a number of places, zero or more.',
    broken: 'Decimals of tokens are negative',
    why: 'Amounts are divided by ten to this power.',
    exactly: 'decimals ≥ 0.',
    restsOn: ['token-decimals'],
    check: checkForm('decimals'),
  },
  {
    id: 'tokens/price-is-integer-text',
    consequence: 'prices',
    ...must,
    uses: ['token-price'],
    statement: 'The price is a whole number as text: digits only, no leading zero.',
    broken: 'Prices of tokens are not whole numbers as text',
    why: 'Clients parse it as a big integer; a sign, point or exponent makes that fail.',
    restsOn: ['token-price'],
    check: checkForm('price'),
  },
  {
    id: 'tokens/all-fields-present',
    ...should,
    statement: 'A token has every field that the document names.',
    broken: 'Tokens lack documented fields',
    why: 'The document does not require them, but every client is written as if it did.',
    restsOn: ['token'],
    namesFields: true,
    check: checkPresence,
  },
  {
    id: 'tokens/symbol-is-visible',
    ...should,
    uses: ['token-symbol'],
    statement: 'A symbol holds at least one visible character, and no half of one.',
    broken: 'Symbols of tokens cannot be shown',
    why: 'People know the token by it.',
    restsOn: ['token-symbol'],
    check: tokenCheck('symbol', (symbol) =>
      typeof symbol === 'string' ? findSymbolFault(symbol) : undefined,
    ),
  },
  {
    id: 'tokens/decimals-are-sane',
    ...should,
    uses: ['token-decimals'],
    statement: `Decimals are at most ${mostDecimals}.`,
    broken: 'Tokens have more than 18 decimals',
    why: 'A larger number is probably a value from another column.',
    exactly: 'decimals ≤ 18.',
    restsOn: ['token-decimals'],
    check: tokenCheck('decimals', (decimals) =>
      typeof decimals === 'number' && decimals > mostDecimals ? `at most ${mostDecimals}` : undefined,
    ),
  },
  {
    id: 'tokens/usd-price-is-not-negative',
    consequence: 'prices',
    ...should,
    uses: ['token-price-usd'],
    statement: 'The price in USD is zero or more.',
    broken: 'Token prices in USD are negative',
    why: 'A negative price makes holdings look like debts.',
    exactly: 'price-usd ≥ 0.',
    restsOn: ['token-price-usd'],
    check: tokenCheck('price-usd', (price) =>
      typeof price === 'number' && price < 0 ? 'zero or more' : undefined,
    ),
  },
  {
    id: 'tokens/ids-are-unique',
    ...should,
    uses: ['token-id'],
    statement: 'No two tokens of a list have the same id.',
    broken: 'A token is listed twice',
    why: 'Clients index tokens by id, so one of two records would be lost.',
    restsOn: ['token-id'],
    check: checkUnique,
  },
  {
    id: 'tokens/list-is-filled',
    section: '4.1',
    level: 'should',
    statement: 'The list holds at least one token.',
    broken: 'The token list is empty',
    why: 'A list without tokens means that the exchange has lost its data source.',
    restsOn: ['tokens'],
    needs,
    check: checkFilled,
  },
  {
    id: 'tokens/list-stays',
    ...should,
    uses: ['token-id'],
    statement: 'A token that was listed is listed again when the list is requested once more.',
    broken: 'Tokens vanish from the list and come back',
    why: 'A wallet that reads the list from a server that lags shows tokens that come and go.',
    exactly:
      'a list that is shorter than the one before holds all of its ids. A list as long may hold another token.',
    restsOn: ['token-id'],
    needs: tokensTwice,
    check: checkStay,
  },
];
