import { appendFileSync, writeFileSync } from 'node:fs';
import { formatCsv, listTimes, makeRows, type SampleRow } from '@candleproof/gate/testing/tables';

/** A file that costs a gate or the judge more than its bytes say; `write` returns the arguments of the command that judges it. */
/** A file, the exit code of the command that reads it, and what writes the file and returns that command. */
export type HeavyFile = {
  readonly name: string;
  readonly exit: number;
  write(file: string): readonly string[];
};

function writeColumns(file: string): readonly string[] {
  const rows = makeRows(listTimes(1_000_000, 60));
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'] as const satisfies (keyof SampleRow)[];
  const lists = names.map((name) => `"${name}":[${rows.map((row) => row[name]).join()}]`);
  writeFileSync(file, `{"s":"ok",${lists.join()}}`);
  return ['gate', file];
}

function writeFar(step: number, years: number): (file: string) => readonly string[] {
  return (file) => {
    const times = listTimes(2000, step);
    const rows = makeRows([...times, (times.at(-1) ?? 0) + years * 365 * 86_400]);
    writeFileSync(file, formatCsv(rows, String));
    return ['gate', file, '--unit', 's'];
  };
}

/** Writes a recording of answers to requests for hours, so many bytes of it. */
function writeRecording(bytes: number, text: string): (file: string) => readonly string[] {
  return (file) => {
    const entry = JSON.stringify({
      startedDateTime: '2026-03-01T00:00:00.000Z',
      time: 50,
      request: {
        method: 'GET',
        url: 'https://api.example/v2/pools/conversionRates/1?interval=HOUR',
        headers: [],
      },
      response: { status: 200, headers: [], content: { text } },
    });
    const count = Math.ceil(bytes / Buffer.byteLength(entry));
    writeFileSync(file, `{"log":{"entries":[${entry}`);
    for (let at = 1; at < count; at++) appendFileSync(file, `,${entry}`);
    appendFileSync(file, ']}}');
    return ['judge', file, '--out', `${file}-out`];
  };
}

const hour =
  '{"poolId":1,"startTimestampSeconds":1772000000,"open":1,"high":2,"low":1,"close":2,"avg":1,"volume":"12"}';

/** The files of a table in SECURITY.md. */
export const heavyFiles: readonly HeavyFile[] = [
  { name: 'a million rows as columns', exit: 0, write: writeColumns },
  {
    name: 'seven megabytes of empty objects, for look',
    exit: 2,
    write: (file) => {
      writeFileSync(file, `[${Array(2_400_000).fill('{}').join()}]`);
      return ['look', file];
    },
  },
  {
    name: 'rows of 8,000 fields',
    exit: 0,
    write: (file) => {
      const fields = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => [`f${at}`, at]));
      const rows = makeRows(listTimes(200, 60)).map((row) => ({ ...fields, ...row }));
      writeFileSync(file, JSON.stringify(rows));
      return ['gate', file];
    },
  },
  { name: 'rows of a minute, and one 200 years ahead', exit: 0, write: writeFar(60, 200) },
  { name: 'rows of a second, and one two years ahead', exit: 0, write: writeFar(1, 2) },
  {
    name: 'a recording of 173 MB: candles',
    exit: 1,
    write: writeRecording(173e6, `[${Array(9000).fill(hour).join()}]`),
  },
  {
    name: 'a recording of 173 MB: long texts',
    exit: 1,
    write: writeRecording(173e6, '\n"é€'.repeat(500_000)),
  },
];
