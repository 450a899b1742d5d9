import type { ColumnRole, Places } from './columns.ts';
import { numberIn } from './numbers.ts';

/** A cell of a used column that holds something else than a finite number. */
export type UnreadCell = { readonly column: ColumnRole; readonly text: string };

/**
 * One row of a table, read once. It is filled anew for the next row: who keeps one keeps a copy. What is left out is
 * NaN, and no comparison with NaN accuses it.
 */
export type TableRow = {
  /** Of the file, from 1. */
  line: number;
  /** Unix seconds. */
  start: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** NaN where the table has none. */
  avg: number;
  volume: number;
  /** As it is written; empty unless a roll-up needs it. */
  volumeText: string;
  /** The first cell that cannot be read; a row without any price has none. */
  unread: UnreadCell | undefined;
  /** None of its own prices contradicts another. */
  isSound: boolean;
};

export function emptyRow(): TableRow {
  const none = Number.NaN;
  return {
    ...{ line: 0, start: none, open: none, high: none, low: none, close: none },
    ...{ avg: none, volume: none, volumeText: '', unread: undefined, isSound: true },
  };
}

/** All four prices are left out: the row says that nothing was traded, and is no candle. */
export function isBlank({ open, high, low, close, unread }: TableRow): boolean {
  if (unread !== undefined) return false;
  return Number.isNaN(open) && Number.isNaN(high) && Number.isNaN(low) && Number.isNaN(close);
}

const prices = ['open', 'high', 'low', 'close'] as const;
const amounts = ['average', 'volume'] as const;

/** Fills the row with the numbers in the cells of a line, each as trimmed text. */
export function fillNumbers<Place>(
  row: TableRow,
  places: Places<Place>,
  cell: (place: Place) => string,
): void {
  const textOf = (role: ColumnRole): string => {
    const place = places[role];
    return place === undefined ? '' : cell(place);
  };
  const isBlankLine = prices.every((role) => isLeftOut(textOf(role)));
  row.unread = undefined;
  for (const role of [...prices, ...amounts]) {
    const text = textOf(role);
    const value = numberIn(text);
    row[role === 'average' ? 'avg' : role] = value;
    const mayLack = isBlankLine ? isLeftOut(text) : text === '' && (role === 'average' || role === 'volume');
    if (!Number.isFinite(value) && !mayLack) row.unread ??= { column: role, text };
  }
  row.volumeText = textOf('volume');
}

/** Programs that put a row into each interval write NaN, or nothing, into all of its cells. */
function isLeftOut(text: string): boolean {
  return text === '' || /^nan$/i.test(text);
}
