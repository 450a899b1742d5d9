import type { DescribedGet } from './described-operations.ts';
import { resolveNode } from './document-nodes.ts';

/** Words of a path that leads to candles. */
export const ofCandles = /kline|candle|ohlc|aggs|bars|time_?series|history|chart/i;

/** Lists the GETs whose path speaks of candles and that are not drafted, each with the reason. */
export function listLeftOut(
  root: unknown,
  listed: readonly DescribedGet[],
  drafted: ReadonlySet<string>,
): string[] {
  return listed
    .filter(({ path }) => ofCandles.test(path) && !drafted.has(path))
    .map(({ path, node }) => {
      const dangling = findDangling(root, node.value);
      const reason =
        dangling === undefined
          ? 'it has no interval, or neither schema nor example shows four prices and a time'
          : `${dangling} points at nothing`;
      return `GET ${path}: ${reason}`;
    });
}

/** Levels in which a reference that leads nowhere is searched. */
const deepest = 20;

function findDangling(root: unknown, value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  const { value: found } = resolveNode(root, { value, at: [] });
  const { $ref: reference } = value as { readonly $ref?: unknown };
  if (found === undefined && typeof reference === 'string') return reference;
  for (const inner of Object.values(value)) {
    const below = findDangling(root, inner, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}
