/** The JSON value of a body, or why it is not exactly one. */
export type Parsed = { readonly value: unknown } | { readonly broken: string };

/**
 * Parses exactly one JSON value (RFC 8259). JSON.parse already refuses NaN, a byte order mark and anything after the
 * value; it forgives a repeated member name, which is found by counting the names in the text.
 */
export function parseStrictly(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { broken: explain(error, text) };
  }
  const members = countMembers(value);
  return maxNames(text) === members || countNames(text) === members
    ? { value }
    : { broken: 'a member name is repeated within its object' };
}

/** A call of a function with JSON, for a script element. */
const jsonpForm =
  /^\s*(?:\/\*\*\/\s*)?(?:typeof [\w$.]{1,60} === 'function' && )?([A-Za-z_$][\w$.]{0,60})\s*\(\s*[[{]/;

function explain(error: unknown, text: string): string {
  if (text.trim() === '') return 'the body is empty';
  if (text.startsWith('\uFEFF')) return 'the body begins with a byte order mark';
  if (text.startsWith(")]}'")) return "the body begins with )]}', which keeps it from being JSON";
  const [, callback] = jsonpForm.exec(text) ?? [];
  if (callback !== undefined) return `the body is JSONP, a call of ${callback}, and no JSON`;
  const message = error instanceof Error ? error.message : String(error);
  return message.length > 160 ? `${message.slice(0, 160)}…` : message;
}

/**
 * Counts colons after a quote: the names, and strings that begin with a colon. A repeated name makes the count exceed
 * the members, so that equal numbers prove there is none; this is the faster of the two counts.
 */
function maxNames(text: string): number {
  const quote = 34;
  const space = 32;
  let names = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= space) before--;
    if (text.charCodeAt(before) === quote) names++;
  }
  return names;
}

/** Counts member names exactly: in valid JSON a string is a name if and only if a colon follows it. */
function countNames(text: string): number {
  const quote = 34;
  const backslash = 92;
  const colon = 58;
  const space = 32;
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let names = 0;
  let at = 0;
  while (at < length) {
    if (bytes[at++] !== quote) continue;
    while (at < length) {
      const byte = bytes[at++];
      if (byte === quote) break;
      if (byte === backslash) at++;
    }
    while (at < length && (bytes[at] as number) <= space) at++;
    if (bytes[at] === colon) names++;
  }
  return names;
}

/** Counts all members by iteration, since a hostile body may nest deeper than the stack, without a list per object. */
function countMembers(value: unknown): number {
  const open: object[] = isObject(value) ? [value] : [];
  let members = 0;
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (!Array.isArray(container)) members += countDirect(container, open);
    else
      for (const item of container) {
        if (Array.isArray(item)) open.push(item);
        else if (isObject(item)) members += countDirect(item, open);
      }
  }
  return members;
}

/** Counts the members of one object and queues those that are objects. */
function countDirect(object: object, open: object[]): number {
  const record = object as Record<string, unknown>;
  let members = 0;
  for (const name in record) {
    members++;
    const member = record[name];
    if (isObject(member)) open.push(member);
  }
  return members;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
