import { escapeMarkup } from './escape.ts';

/** HTML, SVG or XML that is safe to place as it is. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What a template may hold: text is escaped, markup placed, a list joined, `false` and `undefined` left out. */
export type Part = Markup | string | number | false | undefined | readonly Part[];

/** A template whose every text is escaped: nothing of a target's becomes markup unless someone writes `new Markup`. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const placed = parts.map((part, index) => place(part) + (strings[index + 1] ?? ''));
  return new Markup((strings[0] ?? '') + placed.join(''));
}

function place(part: Part): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Markup) return part.source;
  if (typeof part === 'object') return part.map(place).join('');
  return escapeMarkup(String(part));
}
