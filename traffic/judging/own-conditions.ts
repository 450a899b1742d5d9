import type { HeaderLine } from '../../contract/reading/exchange.ts';

/** With one of these a client makes conditions that the document does not speak of, and gets what it wanted. */
const conditions = ['range', 'if-match', 'if-unmodified-since', 'if-modified-since', 'expect'];

/** The request wants something else than the document's plain answer, so that the law does not say what it is owed. */
export function hasOwnConditions(headers: readonly HeaderLine[]): boolean {
  return headers.some(([line, value]) => {
    const name = line.toLowerCase();
    return conditions.includes(name) || (name === 'accept' && !/json|\*\/\*|application\/\*/i.test(value));
  });
}
