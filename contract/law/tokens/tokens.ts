import { operationById } from '../../document/operation.ts';
import type { TokenRole } from '../../document/roles.ts';
import type { Operation, Spec } from '../../document/spec.ts';
import { describe } from '../../reading/describe.ts';
import type { Misshapen } from '../../reading/read-body.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type Breach, rowPointer } from '../breach.ts';
import { eachAnswer } from '../checks.ts';
import { tokenList } from '../needs.ts';
import type { Rule, Sight } from '../rule.ts';
import { checkDepartures, concernsWhole } from '../shape.ts';

type Token = Readonly<Record<string, unknown>>;

/** The most decimal places that any chain's tokens have. */
const mostDecimals = 18;

/** Fields whose form has a separate rule; every other departure is one of type. */
const formed = { id: 'pattern', icon: 'pattern', price: 'pattern', decimals: 'minimum' } as const;

/** Returns the role of a field whose departure is one of form. */
function formedRole({ field, keyword }: Misshapen, { fields }: Operation): keyof typeof formed | undefined {
  return formedRoles.find((role) => fields[role] === field && formed[role] === keyword);
}

const formedRoles = Object.keys(formed) as (keyof typeof formed)[];

const formOf = (role: keyof typeof formed): Rule['check'] =>
  checkDepartures(['tokens'], (misshapen, operation) => formedRole(misshapen, operation) === role);

/** Makes a check that tests every token; `test` returns the expectation that a token breaks. */
function eachToken(role: TokenRole, test: (value: unknown) => string | undefined): Rule['check'] {
  return function* check({ tokenLists, spec }) {
    for (const answer of tokenLists) {
      yield { judged: answer };
      const field = fieldName(role, answer, spec);
      for (let row = 0; row < answer.records.length; row++) {
        const token = answer.records[row];
        const expected = isToken(token) ? test(token[field]) : undefined;
        if (expected !== undefined) yield { breach: makeBreach(answer, row, field, expected) };
      }
    }
  };
}

function isToken(record: unknown): record is Token {
  return typeof record === 'object' && record !== null;
}

/** Tells whether a text has no visible character: only blanks, controls and formatting characters. */
function isInvisible(text: string): boolean {
  return /^[\p{Z}\p{Cc}\p{Cf}]*$/u.test(text);
}

function makeBreach(answer: Answer, row: number, field: string, expected: string): Breach {
  const actual = describe((answer.records[row] as Token)[field]);
  return { answer, pointer: `${rowPointer(answer, row)}/${field}`, expected, actual };
}

function fieldName(role: TokenRole, { requested }: Answer, spec: Spec): string {
  return (requested && operationById(spec, requested.operation).fields[role]) ?? role;
}

function* checkPresence({ tokenLists, spec }: Evidence): Generator<Sight> {
  for (const answer of tokenLists) {
    yield { judged: answer };
    const { recordFields } = operationById(spec, answer.requested?.operation ?? '');
    for (let row = 0; row < answer.records.length; row++) {
      const token = answer.records[row];
      if (!isToken(token)) continue;
      for (const field of recordFields) {
        if (token[field] !== undefined) continue;
        yield { breach: makeBreach(answer, row, field, 'this field, which the document names') };
      }
    }
  }
}

function* checkUnique({ tokenLists, spec }: Evidence): Generator<Sight> {
  for (const answer of tokenLists) {
    yield { judged: answer };
    const seen = new Map<string, number>();
    const field = fieldName('id', answer, spec);
    for (let row = 0; row < answer.records.length; row++) {
      const token = answer.records[row];
      const id = isToken(token) ? token[field] : undefined;
      if (typeof id !== 'string') continue;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, row);
      else {
        const expected = `an id other than that of ${rowPointer(answer, first)}`;
        yield { breach: makeBreach(answer, row, field, expected) };
      }
    }
  }
}

const checkFilled = eachAnswer(
  ({ tokenLists }) => tokenLists,
  '',
  ({ records, misshapen, broken }) =>
    records.length > 0 || misshapen.length > 0 || broken !== undefined
      ? 'holds'
      : { expected: 'at least one token', actual: 'an empty list' },
);

const needs = [tokenList];

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
    section: '2.1',
    level: 'must',
    statement: 'Every field of a token that is present has its documented type.',
    broken: 'Fields of tokens have undocumented types',
    why: 'A price sent as a number loses digits beyond 2^53; a boolean sent as 1 fails typed clients.',
    restsOn: ['token'],
    needs,
    check: checkDepartures(
      ['tokens'],
      (misshapen, operation) => !concernsWhole(misshapen) && formedRole(misshapen, operation) === undefined,
    ),
  },
  {
    id: 'tokens/id-is-three-integers',
    section: '2.1',
    level: 'must',
    uses: ['token-id'],
    statement: 'A token id is three integers joined by dots, without leading zeros.',
    broken: 'Token ids are malformed',
    why: 'The id is the key by which a token is found on the ledger.',
    restsOn: ['token-id'],
    needs,
    check: formOf('id'),
  },
  {
    id: 'tokens/icon-is-relative',
    section: '2.1',
    level: 'must',
    uses: ['token-icon'],
    statement: 'The icon is a relative path without scheme or host.',
    broken: 'Icons of tokens are not relative paths',
    why: 'Clients prepend their own image host; an absolute address gives a broken or foreign image.',
    exactly:
      'neither `scheme:` nor `//` at its beginning, read as browsers do: leading blanks and controls are skipped, `\\` is `/`.',
    restsOn: ['token-icon'],
    needs,
    check: formOf('icon'),
  },
  {
    id: 'tokens/decimals-are-a-count',
    section: '2.1',
    level: 'must',
    uses: ['token-decimals'],
    statement: 'Decimals are a number of places: zero or more.',
    broken: 'Decimals of tokens are no count',
    why: 'Amounts are divided by ten to this power.',
    exactly: 'decimals ≥ 0.',
    restsOn: ['token-decimals'],
    needs,
    check: formOf('decimals'),
  },
  {
    id: 'tokens/price-is-integer-text',
    consequence: 'prices',
    section: '2.1',
    level: 'must',
    uses: ['token-price'],
    statement: 'The price is a whole number as text: digits only, no leading zero.',
    broken: 'Prices of tokens are not whole numbers as text',
    why: 'It is read with big integers; a sign, point or exponent makes that fail.',
    restsOn: ['token-price'],
    needs,
    check: formOf('price'),
  },
  {
    id: 'tokens/all-fields-present',
    section: '2.1',
    level: 'should',
    statement: 'A token has every field that the document names.',
    broken: 'Tokens lack documented fields',
    why: 'The document does not require them, but every client is written as if it did.',
    restsOn: ['token'],
    needs,
    check: checkPresence,
  },
  {
    id: 'tokens/symbol-is-visible',
    section: '2.1',
    level: 'should',
    uses: ['token-symbol'],
    statement: 'A symbol holds at least one visible character.',
    broken: 'Symbols of tokens are invisible',
    why: 'It is the name that people see.',
    restsOn: ['token-symbol'],
    needs,
    check: eachToken('symbol', (symbol) =>
      typeof symbol === 'string' && isInvisible(symbol) ? 'a visible ticker' : undefined,
    ),
  },
  {
    id: 'tokens/decimals-are-sane',
    section: '2.1',
    level: 'should',
    uses: ['token-decimals'],
    statement: `Decimals are at most ${mostDecimals}.`,
    broken: 'Tokens have more than 18 decimals',
    why: 'A larger number is likely a value from another column.',
    exactly: 'decimals ≤ 18.',
    restsOn: ['token-decimals'],
    needs,
    check: eachToken('decimals', (decimals) =>
      typeof decimals === 'number' && decimals > mostDecimals ? `at most ${mostDecimals}` : undefined,
    ),
  },
  {
    id: 'tokens/usd-price-is-not-negative',
    consequence: 'prices',
    section: '2.1',
    level: 'should',
    uses: ['token-price-usd'],
    statement: 'The price in USD is zero or more.',
    broken: 'Token prices in USD are negative',
    why: 'A negative price turns portfolios upside down.',
    exactly: 'price-usd ≥ 0.',
    restsOn: ['token-price-usd'],
    needs,
    check: eachToken('price-usd', (price) =>
      typeof price === 'number' && price < 0 ? 'zero or more' : undefined,
    ),
  },
  {
    id: 'tokens/ids-are-unique',
    section: '2.1',
    level: 'should',
    uses: ['token-id'],
    statement: 'No two tokens of a list have the same id.',
    broken: 'A token is listed twice',
    why: 'Clients index tokens by id, so one of two records would be lost.',
    restsOn: ['token-id'],
    needs,
    check: checkUnique,
  },
  {
    id: 'tokens/list-is-filled',
    section: '4.1',
    level: 'should',
    statement: 'The list holds at least one token.',
    broken: 'The token list is empty',
    why: 'An exchange without tokens has lost its data source.',
    restsOn: ['tokens'],
    needs,
    check: checkFilled,
  },
];
