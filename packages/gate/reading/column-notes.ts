import type { ValueName } from '@candleproof/document/layout/name-places';
import { bareName, findNamed } from '@candleproof/document/layout/role-names';
import { guessUnit, parseTime } from '@candleproof/document/layout/written-times';
import { prices } from './columns.ts';
import { quote } from './table.ts';

/** Before 1971 there are few candles, and many fields without a value. */
const earliest = 31_536_000;

/** A value of the rows without a role, with its first texts. */
export type UnusedColumn = { readonly name: ValueName; readonly texts: readonly string[] };

/** Notes unused columns that have the name of a time or of a price: what they hold, and that they are not judged. */
export function noteUnused(unused: readonly UnusedColumn[]): string[] {
  const bare = unused.map(({ name }) => bareName(name.at(-1) ?? ''));
  const times = [...new Set([...findNamed(bare, 'time'), ...findNamed(bare, 'end')])].sort((a, b) => a - b);
  return [
    ...times.flatMap((at) => noteTime(unused[at] as UnusedColumn)),
    ...noteSet(prices.map((role) => unused[findNamed(bare, role)[0] ?? -1]?.name.join('.'))),
  ];
}

/** Notes a time that no row has: one and the same, long before there were candles. */
function noteTime({ name, texts }: UnusedColumn): string[] {
  const [first = ''] = texts;
  const isSame = texts.length > 1 && texts.every((text) => text === first);
  const time = parseTime(first, guessUnit([first]) ?? 'iso');
  if (!isSame || !(time < earliest)) return [];
  return [`${name.join('.')} is ${quote(first)} in every row read first, no time of a row, and is not used`];
}

/** Notes a second set of prices, as that of asks beside bids. */
function noteSet(names: readonly (string | undefined)[]): string[] {
  if (names.includes(undefined)) return [];
  return [
    `${names.join(', ')} are a second set of prices, and not judged; name them by --columns for a call of their own`,
  ];
}
