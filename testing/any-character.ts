import fc from 'fast-check';

/** The surrogates, which are no characters, lie between the others. */
const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Draws a character of all of Unicode, as the unit of `fc.string`. Its own unit `binary` draws the same ones, but first
 * lists a million of them, which takes seconds in each worker.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(
  (at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count),
  (character) => {
    const [code = Number.NaN, ...others] = [...String(character)].map((one) => one.codePointAt(0) ?? 0);
    const isSurrogate = code >= surrogates.first && code < surrogates.first + surrogates.count;
    if (typeof character !== 'string' || Number.isNaN(code) || others.length > 0 || isSurrogate)
      throw new Error('not one character');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);
