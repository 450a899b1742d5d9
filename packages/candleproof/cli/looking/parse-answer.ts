import { UsageError } from '@candleproof/files/usage-error';

/** The most values of an answer that is parsed as a whole, since each takes many times the memory of its text. */
const mostValues = 1_000_000;

const [quotationMark, comma, backslash, openList, openObject] = [34, 44, 92, 91, 123];

/**
 * Parses an answer; `name` begins the message about one that is too large. Throws a SyntaxError for what is no JSON.
 * @throws UsageError for more values than a document is drafted from
 */
export function parseAnswer(body: Uint8Array, name: string): unknown {
  if (hasMore(body, mostValues))
    throw new UsageError(
      `look: ${name} holds more than ${mostValues} values, the most that a document is drafted from, and no flag raises that; look at an answer of fewer rows`,
    );
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
}

/** Returns whether JSON has more values than a bound: each but the first of a list or an object follows a comma. */
function hasMore(bytes: Uint8Array, bound: number): boolean {
  let [count, isText] = [0, false];
  for (let at = 0; at < bytes.length && count <= bound; at++) {
    const code = bytes[at];
    if (isText && code === backslash) at++;
    else if (code === quotationMark) isText = !isText;
    else if (!isText && (code === comma || code === openList || code === openObject)) count++;
  }
  return count > bound;
}
