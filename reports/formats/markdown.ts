import { clip, codeOf, visible } from '../words/escape.ts';

/** Characters that a table's cell can take. */
const cellLength = 160;

/** Text as a code span: no mention, link, image, entity or cell border is seen in it. */
export function code(text: string, longest = cellLength): string {
  const inert = clip(visible(text), longest).replace(/[`|]/g, codeOf);
  return inert.trim() === '' ? '(empty)' : `\`${inert}\``;
}

/** Words as prose; what Markdown or GitHub would read as a sign of its own is taken apart. */
export function prose(text: string, longest = cellLength): string {
  return clip(visible(text), longest).replace(/[&<>\\`*_[\]|~!$]|[@#]|:(?=\/\/)|www(?=\.)/gi, (sign) =>
    /[@#:w]/i.test(sign) ? `${sign}&#8203;` : `&#${sign.codePointAt(0)};`,
  );
}
