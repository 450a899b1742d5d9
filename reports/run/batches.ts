import { type Markup, markup } from '../words/markup.ts';

/** Rows that a browser lays out together once they come near the screen. */
const rowsOfBatch = 100;

/**
 * A long list in slices that the browser skips until they are near: ten thousand rows open as fast as a hundred.
 * `draw` is given each slice and, where there is more than one, which rows it holds: ` 101 to 200`.
 */
export function inBatches<Row>(
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
