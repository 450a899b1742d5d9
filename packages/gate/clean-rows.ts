import { stamp } from '@candleproof/document/spec/interval';
import type { GateSource } from './file-reading.ts';
import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
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
  let [text, before, last] = ['', 0, 0];
  let columns: (typeof amounts)[number][] | undefined;
  for (const { file, chunks } of sources) {
    const lines = new ArrayLines(choice);
    const name = sources.length > 1 ? `${quoteCell(file)},` : '';
    before = last;
    const table = new CandleTable(choice, true, (row) => {
      last = before + row.line;
      columns ??= begin(table.form);
      if (isBlank(row) || isDoubted(last)) return;
      const cells = columns.map(([, format]) => format(row)).map((cell) => (cell === 'NaN' ? '' : cell));
      text += `${name}${[row.line, stamp(row.start), row.open, row.high, row.low, row.close, ...cells].join()}\n`;
    });
    const begin = (form: TableForm | undefined): (typeof amounts)[number][] => {
      const found = amounts.filter(([role]) => form?.places[role] !== undefined);
      const roles = ['line', 'time', 'open', 'high', 'low', 'close', ...found.map(([role]) => role)];
      text = `${name === '' ? '' : 'file,'}${roles.join()}\n`;
      return found;
    };
    for await (const bytes of lines.split(chunks)) {
      table.feed(bytes);
      if (text.length < chunk) continue;
      yield text;
      text = '';
    }
    table.end();
  }
  yield text;
}

function quoteCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
