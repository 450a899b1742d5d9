import { UnreadableTable } from './unreadable-table.ts';

const asText = 'save it as CSV or Parquet';

/** First bytes of other kinds of files as Latin-1 text, with their names and the remedy. */
const others: readonly (readonly [first: string, fix: string])[] = [
  ['\x1f\x8b', 'packed twice; unpack it once'],
  ['PK', 'packed twice; unpack it once'],
  ['PAR1', 'Parquet within another file or stream; name it as a file of its own'],
  ['ARROW1', `Feather (Arrow); ${asText}, such as by pandas.read_feather(…).to_parquet(…)`],
  ['FEA1', `Feather; ${asText}, such as by pandas.read_feather(…).to_parquet(…)`],
  ['\xff\xff\xff\xff', `an Arrow stream; ${asText}`],
  ['\x89HDF', `HDF5; ${asText}, such as by pandas.read_hdf(…).to_parquet(…)`],
  ['SQLite format 3', 'a SQLite database; export its table as CSV'],
  ['\xd0\xcf\x11\xe0', 'an Excel workbook; save its sheet as CSV'],
  ['Obj\x01', `Avro; ${asText}`],
  ['ORC', `ORC; ${asText}`],
  ['\x28\xb5\x2f\xfd', 'compressed by zstd; unpack it'],
  ['BZh', 'compressed by bzip2; unpack it'],
  ['\xfd7zXZ', 'compressed by xz; unpack it'],
  ['7z\xbc\xaf', 'compressed by 7-Zip; unpack it'],
  ['\x93NUMPY', 'a NumPy array; save it as CSV'],
  ['\x80\x02', 'a pickle; save it as CSV'],
  ['\x80\x03', 'a pickle; save it as CSV'],
  ['\x80\x04', 'a pickle; save it as CSV'],
  ['\x80\x05', 'a pickle; save it as CSV'],
  ['%PDF', 'PDF; save its table as CSV'],
  ['version https://git-lfs.', 'a Git LFS pointer, not the file; fetch that by git lfs pull'],
  ['<!DOCTYPE html', 'a web page, not a file of rows; is it an error that was saved instead?'],
  ['<html', 'a web page, not a file of rows; is it an error that was saved instead?'],
  ['<?xml', 'XML; save its rows as CSV'],
];

/** The beginning of a HAR. */
const recording = /^\s*\{\s*"log"\s*:\s*\{\s*"(version|creator|browser|pages|entries)"/;

/** Bytes in which a file that is no text has a zero. */
const headBytes = 512;

/** Throws UnreadableTable for a document that begins as a HAR. */
export function refuseRecording(text: string): void {
  if (!recording.test(text)) return;
  const what = 'recorded traffic (HAR) rather than candles; npx candleproof judge FILE judges it';
  throw new UnreadableTable(1, what);
}

/** Throws UnreadableTable for a file of another format, by its first bytes; none of them is repeated. */
export function refuseFormat(chunk: Uint8Array): void {
  const head = Buffer.from(chunk.subarray(0, headBytes)).toString('latin1');
  const found = others.find(([first]) => head.toLowerCase().startsWith(first.toLowerCase()));
  if (found) throw new UnreadableTable(1, found[1]);
  if (head.includes('\0')) throw new UnreadableTable(1, `a format that is no text; ${asText}`);
}
