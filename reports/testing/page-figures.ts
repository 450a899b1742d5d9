import { expect } from '@playwright/test';

/** Returns what a reader sees of a page in words: no drawing, request or rule's name. */
export function readPage(html: string): string {
  return html
    .replace(/<(script|style|svg|pre|code|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#?\w+;/g, ' ')
    .replace(/\s+/g, ' ');
}

/** A place of a page by its words, and the figures that belong there: one list for each time that the place occurs. */
type Place = readonly [words: RegExp, expected: readonly (readonly number[])[]];

/** Expects the figures of each place to be these, and returns the text without them. */
export function expectPlaces(text: string, places: readonly Place[]): string {
  let left = text;
  for (const [words, expected] of places) {
    const found = [...text.matchAll(words)].map((match) => match.slice(1).map(readNumber));
    expect(found, String(words)).toEqual(expected);
    left = left.replace(words, ' ');
  }
  return left;
}

function readNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Counts the items of which something holds. */
export function count<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.filter(is).length;
}
