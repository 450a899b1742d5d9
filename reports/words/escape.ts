const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * Escapes invisible characters in text of a target, as in `\u001b`: control and format characters (terminal escapes,
 * changes of direction, joiners), line and paragraph separators, lone surrogates, noncharacters.
 */
export function makeVisible(text: string): string {
  return text.replace(invisible, unicodeEscape);
}

/** Formats a character by its code: `\u0060`, or `\u{1f512}` beyond four digits. */
export function unicodeEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** Formats a value as JSON for a terminal, with invisible characters escaped. */
export function formatVisibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(invisible, jsonEscape))
    .join('\n');
}

/** Escapes a character for JSON, which allows only four digits: longer codes are written as surrogate pairs. */
function jsonEscape(character: string): string {
  return [...Array(character.length).keys()].map((at) => unicodeEscape(character.charAt(at))).join('');
}

/** Shortens a text to at most `longest` characters, the last of them … if anything was cut off. */
export function clip(text: string, longest: number): string {
  const characters = [...text.slice(0, 2 * longest)];
  const isWhole = characters.length <= longest && text.length <= 2 * longest;
  return isWhole ? text : `${characters.slice(0, Math.max(0, longest - 1)).join('')}…`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an element or a quoted attribute, in HTML and in XML. */
export function escapeMarkup(text: string): string {
  return makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/**
 * Formats JSON for a script element: HTML parsers find no end tag in it, nor old ones a line end. It is ASCII, which a
 * browser stores in half the space.
 */
export function embedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u007f-\uffff]/g, unicodeEscape);
}

const cellLength = 160;
/** Formats text as a code span: mentions, links, images, entities and cell borders are inert in it. */
export function markdownCode(text: string, longest = cellLength): string {
  const inert = clip(makeVisible(text), longest).replace(/[`|]/g, unicodeEscape);
  return inert.trim() === '' ? '(empty)' : `\`${inert}\``;
}

/** Formats text as prose; text that Markdown or GitHub would read as markup is broken up. */
export function markdownText(text: string, longest = cellLength): string {
  return clip(makeVisible(text), longest).replace(/[&<>\\`*_[\]|~!$]|[@#]|:(?=\/\/)|www(?=\.)/gi, (sign) =>
    /[@#:w]/i.test(sign) ? `${sign}&#8203;` : `&#${sign.codePointAt(0)};`,
  );
}
