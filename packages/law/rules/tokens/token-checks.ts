import { operationById } from '@candleproof/document/spec/operation';
import type { TokenRole } from '@candleproof/document/spec/roles';
import type { Operation, Spec } from '@candleproof/document/spec/spec';
import type { Misshapen } from '../../reading/read-body.ts';
import type { Answer } from '../../reading/reading.ts';
import { describe } from '../../reading/words.ts';
import { type Evidence, listIds } from '../../relations/evidence.ts';
import { type Breach, rowPointer } from '../breach.ts';
import { answerCheck, checkDepartures } from '../checks.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

type Token = Readonly<Record<string, unknown>>;

/** Fields whose form has a separate rule; every other departure is one of type. */
const formKeywords = { id: 'pattern', icon: 'pattern', price: 'pattern', decimals: 'minimum' } as const;

/** Returns the role of a field whose departure is one of form. */
export function findFormRole(
  { field, keyword }: Misshapen,
  { fields }: Operation,
): keyof typeof formKeywords | undefined {
  return rolesWithForm.find((role) => fields[role] === field && formKeywords[role] === keyword);
}

const rolesWithForm = Object.keys(formKeywords) as (keyof typeof formKeywords)[];

/** Makes a check of the form of one field of every token. */
export const checkForm = (role: keyof typeof formKeywords): Rule['check'] =>
  checkDepartures(['tokens'], (misshapen, operation) => findFormRole(misshapen, operation) === role);

/** Makes a check that tests every token; `test` returns the expectation that a token breaks. */
export function tokenCheck(role: TokenRole, test: (value: unknown) => string | undefined): Rule['check'] {
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

/**
 * Returns what a symbol should be that holds only blanks, controls and formatting characters, or one of the two surrogates
 * that make a character (RFC 8259 §8.2): each parser makes something else of it.
 */
export function findSymbolFault(symbol: string): string | undefined {
  if (/^[\p{Z}\p{Cc}\p{Cf}]*$/u.test(symbol)) return 'a visible ticker';
  return symbol.isWellFormed() ? undefined : 'a ticker of whole characters';
}

function makeBreach(answer: Answer, row: number, field: string, expected: string): Breach {
  const actual = describe((answer.records[row] as Token)[field]);
  return { answer, pointer: `${rowPointer(answer, row)}/${field}`, expected, actual };
}

function fieldName(role: TokenRole, { requested }: Answer, spec: Spec): string {
  return (requested && operationById(spec, requested.operation).fields[role]) ?? role;
}

/** Finds tokens without a documented field. */
export function* checkPresence({ tokenLists, spec }: Evidence): Generator<CheckOutcome> {
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

/** Finds tokens that share an id. */
export function* checkUnique({ tokenLists, spec }: Evidence): Generator<CheckOutcome> {
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

/** Finds empty lists of tokens. */
export const checkFilled = answerCheck(
  ({ tokenLists }) => tokenLists,
  '',
  ({ records, misshapen, broken }) =>
    records.length > 0 || misshapen.length > 0 || broken !== undefined
      ? 'holds'
      : { expected: 'at least one token', actual: 'an empty list' },
);

/** Checks that a list which is shorter than the one before has lost none of its tokens. */
export function* checkStay({ tokenLists, spec }: Evidence): Generator<CheckOutcome> {
  // An answer that cannot be read as a list has lost no token: other rules report it.
  const lists = tokenLists.filter(({ isList }) => isList);
  for (const [at, answer] of lists.entries()) {
    const before = lists[at - 1];
    if (!before) continue;
    yield { judged: answer };
    // A list with as many tokens has another one in its place, or an id that other rules report.
    if (answer.records.length >= before.records.length) continue;
    const ids = new Set(listIds(answer, spec));
    const lost = listIds(before, spec).filter((id) => !ids.has(id));
    if (lost.length === 0) continue;
    const named = lost.slice(0, 3).map(describe).join(', ');
    const actual = `${lost.length} fewer: ${named}${lost.length > 3 ? ', …' : ''}`;
    yield { breach: { answer, pointer: '', expected: 'the tokens that the list before holds', actual } };
  }
}
