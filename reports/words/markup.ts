import { escapeMarkup } from './escape.ts';

/** HTML, SVG or XML that is safe to place as it is. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A template's content: text is escaped, markup inserted, a list joined, `false` and `undefined` omitted. */
export type Part = Markup | string | number | false | undefined | readonly Part[];

/** Builds a template that escapes every text: text of a target becomes markup only through `new Markup`. */
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

/** Renders the id of a candle, of whose addresses a page keeps the first; nothing for a candle without one. */
export function candleId({ address }: { readonly address?: string | undefined }): Markup | false {
  return address !== undefined && markup` id="${address}"`;
}

/** Leaves an address to the first place of a page that shows its candle: an id may be there once. */
export function keepFirstIds(page: Markup): Markup {
  const given = new Set<string>();
  const source = page.source.replace(/ id="[A-Za-z0-9_]*-c-[A-Za-z0-9_-]*"/g, (id) => {
    const isFirst = !given.has(id);
    given.add(id);
    return isFirst ? id : '';
  });
  return new Markup(source);
}

/** Joins parts by commas; those beyond `most` are counted. */
export function joinParts(parts: readonly Part[], most = Number.POSITIVE_INFINITY): Markup {
  const rest = parts.length - most;
  return markup`${parts.slice(0, most).map((part, at) => [at > 0 && ', ', part])}${rest > 0 && ` and ${rest} more`}`;
}

/** Joins lines for an element that keeps line ends; those within a text are escaped. */
export function joinLines(lines: readonly string[]): Markup {
  return markup`${lines.map((line, at) => [at > 0 && new Markup('\n'), line])}`;
}

/** Rows that a browser lays out together when they come near the screen. */
const rowsOfBatch = 100;
/**
 * Renders a long list in slices that the browser skips until they are near: ten thousand rows open as fast as a
 * hundred. `draw` gets each slice and, if there is more than one, its rows: ` 101 to 200`.
 */
export function renderBatches<Row>(
  rows: readonly Row[],
  draw: (slice: readonly Row[], range: string) => Markup,
): Markup | Markup[] {
  if (rows.length <= rowsOfBatch) return draw(rows, '');
  return Array.from({ length: Math.ceil(rows.length / rowsOfBatch) }, (_, index) => {
    const from = index * rowsOfBatch;
    const slice = rows.slice(from, from + rowsOfBatch);
    return markup`<div class="batch">${draw(slice, ` ${from + 1} to ${from + slice.length}`)}</div>`;
  });
}

/** Rounds to two decimals, which is finer than any printer. */
export function unit(value: number): string {
  return String(Math.round(value * 100) / 100);
}
