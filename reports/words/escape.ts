const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * Text of a target with all that acts without being seen reported as `\u001b`: control and format characters (terminal
 * escapes, changes of direction, joiners), line and paragraph separators, lone surrogates, noncharacters.
 */
export function makeVisible(text: string): string {
  return text.replace(invisible, unicodeEscape);
}

/** A character by its code: `\u0060`, or `\u{1f512}` beyond four digits. */
export function unicodeEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** JSON for a terminal: the same value, with all that acts without being seen written by its code. */
export function formatVisibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(invisible, jsonEscape))
    .join('\n');
}

/** JSON knows four digits only: a character beyond them is written as its two halves. */
function jsonEscape(character: string): string {
  return [...Array(character.length).keys()].map((at) => unicodeEscape(character.charAt(at))).join('');
}

/** At most `longest` characters, the last of them … where something was cut off. */
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

/** Text as it is written in an element or a quoted attribute, in HTML and in XML. */
export function escapeMarkup(text: string): string {
  return makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/**
 * JSON that no reader of HTML can take for the end of its script element, nor an old one for a line's end. ASCII alone,
 * which a browser keeps and reads in half the room.
 */
export function embedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u007f-\uffff]/g, unicodeEscape);
}

const cellLength = 160;
/** Text as a code span: no mention, link, image, entity or cell border is seen in it. */
export function markdownCode(text: string, longest = cellLength): string {
  const inert = clip(makeVisible(text), longest).replace(/[`|]/g, unicodeEscape);
  return inert.trim() === '' ? '(empty)' : `\`${inert}\``;
}

/** Words as prose; text that Markdown or GitHub would read as markup is broken up. */
export function markdownText(text: string, longest = cellLength): string {
  return clip(makeVisible(text), longest).replace(/[&<>\\`*_[\]|~!$]|[@#]|:(?=\/\/)|www(?=\.)/gi, (sign) =>
    /[@#:w]/i.test(sign) ? `${sign}&#8203;` : `&#${sign.codePointAt(0)};`,
  );
}
