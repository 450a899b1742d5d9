import type { HeldBytes } from './held-bytes.ts';

const [quotationMark, comma, colon, backslash] = [34, 44, 58, 92];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];
const lastSpace = 32;

/** Thrown where bytes stop being JSON; at their end if they are cut off. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly at: number;

  constructor(at: number) {
    super(`no JSON at byte ${at}`);
    this.at = at;
  }
}

/** Returns whether a value that begins with a byte is a list or an object. */
export function isContainer(code: number): boolean {
  return code === openList || code === openObject;
}

/** Returns the position of the next byte that is no space. */
export function skipSpace(bytes: HeldBytes, from: number): number {
  let at = from;
  while (at < bytes.length && bytes.byte(at) <= lastSpace) at++;
  return at;
}

/** Returns the position behind a value, however deep it is. Throws JsonFault. */
export function skipValue(bytes: HeldBytes, from: number): number {
  let [at, depth] = [from, 0];
  while (at < bytes.length) {
    const code = bytes.byte(at);
    if (code === quotationMark) at = skipText(bytes, at);
    else if (isContainer(code)) {
      depth++;
      at++;
    } else if (code === closeList || code === closeObject) {
      if (--depth < 0) throw new JsonFault(at);
      at++;
    } else at = depth > 0 ? at + 1 : skipScalar(bytes, at);
    if (depth === 0) return at;
  }
  throw new JsonFault(at);
}

function skipText(bytes: HeldBytes, from: number): number {
  let at = from + 1;
  for (; at < bytes.length; at++) {
    const code = bytes.byte(at);
    if (code === quotationMark) return at + 1;
    if (code === backslash) at++;
  }
  throw new JsonFault(at);
}

function skipScalar(bytes: HeldBytes, from: number): number {
  let at = from;
  while (at < bytes.length && !endsScalar(bytes.byte(at))) at++;
  if (at === from) throw new JsonFault(at);
  return at;
}

function endsScalar(code: number): boolean {
  return code <= lastSpace || code === comma || code === colon || code === closeList || code === closeObject;
}

/** Walks over the members of a list or an object, without reading their values. */
export class Members {
  /** The next member: the key of one of an object, with its quotation marks, and the beginning of its value. */
  keyFrom = 0;
  keyTo = 0;
  from = 0;
  /** The position behind what was read, and the list or the object once `next` returned false. */
  end: number;
  readonly #bytes: HeldBytes;
  readonly #isList: boolean;
  #isFirst = true;

  /** @param at the position of the opening bracket */
  constructor(bytes: HeldBytes, at: number) {
    this.#bytes = bytes;
    this.#isList = bytes.byte(at) === openList;
    this.end = at + 1;
  }

  /** Moves on to the next member; the caller then sets `end` to the position behind its value. Throws JsonFault. */
  next(): boolean {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, this.end);
    const code = bytes.byte(at);
    if (code === (this.#isList ? closeList : closeObject)) {
      this.end = at + 1;
      return false;
    }
    if (!this.#isFirst) {
      if (code !== comma) throw new JsonFault(at);
      at = skipSpace(bytes, at + 1);
    }
    this.#isFirst = false;
    this.from = this.#isList ? at : this.#passKey(at);
    if (this.from >= bytes.length) throw new JsonFault(this.from);
    return true;
  }

  /** Moves on to the next member and behind its value. Throws JsonFault. */
  pass(): boolean {
    if (!this.next()) return false;
    this.end = skipValue(this.#bytes, this.from);
    return true;
  }

  #passKey(at: number): number {
    if (this.#bytes.byte(at) !== quotationMark) throw new JsonFault(at);
    this.keyFrom = at;
    this.keyTo = skipText(this.#bytes, at);
    const between = skipSpace(this.#bytes, this.keyTo);
    if (this.#bytes.byte(between) !== colon) throw new JsonFault(between);
    return skipSpace(this.#bytes, between + 1);
  }
}
