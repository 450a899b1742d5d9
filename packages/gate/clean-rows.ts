import { stamp } from '@candleproof/document/spec/interval';
import type { GateSource } from './file-reading.ts';
import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
import { NightDates } from './reading/night-dates.ts';
import { isBlank, type TableChoice, type TableForm, type TableRow } from './reading/table.ts';

/** Characters that are passed on at once. */
const chunk = 1 << 16;

const amounts = [
  ['average', ({ avg }: TableRow) => String(avg)],
  [
    'volume',
    ({ volume, volumeText }: TableRow) => (/^[\d.]+$/.test(volumeText) ? volumeText : String(volume)),
  ],
  ['quote-volume', ({ quote }: TableRow) => String(quote)],
  ['trades', ({ trades }: TableRow) => String(trades)],
] as const;

/**
 * Reads the files of a table again and yields CSV of the rows that no rule doubts, with their line numbers. `isDoubted`
 * is by lines that go on from one file to the next. Throws UnreadableTable.
 */
export async function* readCleanRows(
  sources: readonly GateSource[],
  choice: TableChoice,
  isDoubted: (line: number) => boolean,
): AsyncGenerator<string> {
  let [text, last] = ['', 0];
  let columns: (typeof amounts)[number][] | undefined;
  const parts: { readonly name: string; readonly before: number; readonly table: CandleTable }[] = [];
  const begin = (form: TableForm | undefined): (typeof amounts)[number][] => {
    const found = amounts.filter(([role]) => form?.places[role] !== undefined);
    const roles = ['line', 'time', 'open', 'high', 'low', 'close', ...found.map(([role]) => role)];
    text = `${sources.length > 1 ? 'file,' : ''}${roles.join()}\n`;
    return found;
  };
  const nights = new NightDates((row) => {
    const { name = '', before = 0 } = parts.findLast((part) => row.line > part.before) ?? {};
    columns ??= begin(parts[0]?.table.form ?? parts.at(-1)?.table.form);
    if (isBlank(row) || isDoubted(row.line)) return;
    const cells = columns.map(([, format]) => format(row)).map((cell) => (cell === 'NaN' ? '' : cell));
    text += `${name}${[row.line - before, stamp(row.start), row.open, row.high, row.low, row.close, ...cells].join()}\n`;
  });
  for (const { file, chunks } of sources) {
    const lines = new ArrayLines(choice);
    const name = sources.length > 1 ? `${quoteCell(file)},` : '';
    const before = last;
    const table = new CandleTable(choice, true, (row) => {
      row.line += before;
      last = row.line;
      nights.take(row);
    });
    parts.push({ name, before, table });
    for await (const bytes of lines.split(chunks)) {
      table.feed(bytes);
      if (text.length < chunk) continue;
      yield text;
      text = '';
    }
    table.end();
  }
  nights.end();
  yield text;
}

function quoteCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
