import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { candleproof, start, waitForEnd } from '@candleproof/command/command';
import type { Gated, GateRange } from '@candleproof/gate/gated';
import {
  formatCsv,
  isoTime,
  listTimes,
  makeRows,
  rollUpRows,
  type SampleRow,
} from '@candleproof/gate/testing/tables';
import { expect, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';

const rows = makeRows(listTimes(600, 300));
const peakMemory = pathToFileURL('tools/testing/peak-memory.ts').href;

function put(name: string, text: string | Uint8Array): string {
  const file = test.info().outputPath(name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('sound files end with 0 and a short summary', async () => {
  const [five, hour] = [put('x-5m.csv', formatCsv(rows)), put('x-1h.csv', formatCsv(rollUpRows(rows, 12)))];
  const { code, stdout, stderr } = await candleproof(['gate', five, hour]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^✓ Sound\nx-5m\.csv: 600 rows of 5m, 2019-01-01T00:00:00Z to .*\n/);
  expect(stdout).toMatch(/\nx-1h\.csv against x-5m\.csv: 50 candles with all parts, all agree\n$/);
});

test('damage ends with 1, is listed, and lies in three files', async () => {
  const broken = rows.map((row, at) => (at === 77 ? { ...row, high: row.low - 1 } : row));
  const out = test.info().outputPath('out');
  const file = put('x.csv', formatCsv(broken.filter((_, at) => at !== 300)));
  const { code, stdout } = await candleproof(['gate', file, '--out', out]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ Damaged: 1 range; 1 note\n/);
  expect(stdout).toMatch(
    /\n {2}x\.csv:79 {2}impossible {2}2019-01-01T06:25Z to 2019-01-01T06:30Z\n {4}high: .*\n {4}candle\/high-is-highest/,
  );
  const lines = readFileSync(join(out, 'damage.ndjson'), 'utf8').trim().split('\n');
  const ranges: GateRange[] = lines.map((line) => JSON.parse(line));
  expect(ranges.map(({ kind, certainty, line }) => [kind, certainty, line])).toEqual([
    ['impossible', 'breach', 79],
    ['gap', 'observed', 302],
  ]);
  const kept: Gated = JSON.parse(readFileSync(join(out, 'gate.json'), 'utf8'));
  expect([kept.verdict, kept.files[0]?.rows]).toEqual(['damaged', 599]);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<b class="verdict">Damaged');
});

test('a suspicion beyond chance ends with 1 unless its kind is tolerated', async () => {
  const file = put('w.csv', formatCsv(rows.map((row) => ({ ...row, open: row.close, close: row.open }))));
  const failed = await candleproof(['gate', file]);
  expect(failed.code).toBe(1);
  expect(failed.stdout.replace(/\s+/g, ' ')).toMatch(
    /^✗ No rule broken; 1 suspicion, beyond chance \(swapped\); exit 1, or 0 with --tolerate swapped /,
  );
  expect((await candleproof(['gate', file, '--tolerate', 'copy, swapped'])).code).toBe(0);
  expect((await candleproof(['gate', file, '--tolerate', 'swapped', '--strict'])).code).toBe(0);
  const wrong = await candleproof(['gate', file, '--tolerate', 'swap']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--tolerate: "swap": take copy, flat'),
  ]);
});

test('two tables of one market that differ end with 1 and the difference first', async () => {
  const other = rows.map((row, at) => (at % 3 === 0 ? { ...row, high: row.high * 1.5 } : row));
  const files = [put('one.csv', formatCsv(rows)), put('other.csv', formatCsv(other)), '--same'];
  const { code, stdout } = await candleproof(['gate', ...files, '--tolerate', 'spike']);
  expect([code, stdout.split(';')[0]?.replace(/\s+/g, ' ')]).toEqual([
    1,
    '✗ one.csv and other.csv differ in 200 rows, 600 are in both: only high differs',
  ]);
  expect((await candleproof(['gate', ...files, '--tolerate', 'spike,difference'])).code).toBe(0);
});

test('a recording, a workbook and rows that are no candles are refused with what works', async () => {
  const har = put('t.har', JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries: [] } }));
  const book = put(
    't.xlsx',
    zipSync({ '[Content_Types].xml': new Uint8Array(9), 'xl/workbook.xml': new Uint8Array(9) }),
  );
  const values = put('v.json', '[[1710000000000,1,5,3]]');
  const table = put('x.csv', formatCsv(rows));
  for (const [args, words] of [
    [['gate', har], 'recorded traffic (HAR) rather than candles; npx candleproof judge FILE judges it'],
    [['gate', book], 'it is an Excel workbook; save its sheet as CSV and name that'],
    [['gate', values], 'show no candle; give their order by gate --columns, such as time,open'],
    [['judge', table], 'a table of candles is judged by npx candleproof gate FILE'],
  ] as const) {
    const { code, stderr } = await candleproof([...args]);
    expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining(words)]);
  }
});

test('standard input is judged, and --json prints one document', async () => {
  const child = start(['gate', '-', '--json', '--unit', 'ms', '--now', '2019-01-02T00:00Z'], {});
  child.stdin?.end(`${rows.map((row) => JSON.stringify({ ...row, time: row.time * 1000 })).join('\n')}\n`);
  const { code, stdout } = await waitForEnd(child);
  const result: Gated = JSON.parse(stdout);
  expect([code, result.verdict, result.now, result.files[0]?.form?.unit]).toEqual([
    ...[0, 'sound', '2019-01-02T00:00:00Z', 'ms'],
  ]);
  expect(result.ranges).toMatchObject([{ kind: 'open' }, { kind: 'future', rows: 311 }]);
});

test('packed files are judged as they are', async () => {
  const bytes = Buffer.from(formatCsv(rows));
  const packed = [put('x.csv.gz', gzipSync(bytes)), put('x.zip', zipSync({ 'x.csv': bytes }))];
  for (const file of packed) {
    const { code, stdout } = await candleproof(['gate', file]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('600 rows of 5m')]);
  }
  const { code, stderr } = await candleproof(['gate', put('y.gz', gzipSync(bytes).subarray(0, 900))]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^candleproof: gate: .*y\.gz: the gzip is damaged: .*\n$/),
  ]);
});

test('Parquet is judged as the other forms are', async () => {
  const column = (name: keyof SampleRow): number[] => rows.map((row) => row[name]);
  const packings = { ZSTD: zstdCompressSync, GZIP: gzipSync, BROTLI: brotliCompressSync };
  const write = (times: ColumnSource, more: ColumnSource[] = [], packing: object = {}): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          ...(['open', 'high', 'low', 'close'] as const).map((name) => ({ name, data: column(name) })),
          ...[{ name: 'volume', data: column('volume').map(BigInt) }, ...more, times],
        ],
        ...{ rowGroupSize: 250, ...packing },
      }),
    );
  const dates = { name: '__index_level_0__', data: column('time').map((time) => new Date(time * 1000)) };
  const millis = { name: 'time', data: column('time').map((time) => BigInt(time * 1000)) };
  const texts = { name: 'Date', data: column('time').map(isoTime) };
  for (const [at, times] of [dates, millis, texts].entries()) {
    const { code, stdout } = await candleproof(['gate', put(`${at}.parquet`, write(times))]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^✓ Sound\n.*600 rows of 5m, 2019-01-01T00:00:00Z/),
    ]);
  }
  for (const [codec, pack] of Object.entries(packings)) {
    const packed = write(dates, [], { codec: codec as 'ZSTD', compressors: { [codec]: pack } });
    const { code, stdout } = await candleproof(['gate', put(`${codec}.parquet`, packed)]);
    expect([codec, code, stdout]).toEqual([codec, 0, expect.stringContaining('600 rows of 5m')]);
  }
  const broken = write(dates, [
    { name: 'average', data: rows.map((row, at) => (at === 300 ? 1e9 : row.open)) },
  ]);
  const { code, stdout } = await candleproof(['gate', put('x.parquet', broken)]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/ {2}x\.parquet:302 {2}impossible/)]);
  const cut = await candleproof(['gate', put('y.parquet', broken.subarray(0, 2000))]);
  expect([cut.code, cut.stderr]).toEqual([
    2,
    expect.stringMatching(/gate: .*y\.parquet: it cannot be read as Parquet: .*\n$/),
  ]);
});

test('suspicions end with 0, and with 1 under --strict, in lines of at most 80 columns', async () => {
  const file = put(
    'x.csv',
    formatCsv(rows.map((row, at) => (at === 77 ? { ...row, high: row.high * 1.5 } : row))),
  );
  const [plain, strict] = [await candleproof(['gate', file]), await candleproof(['gate', file, '--strict'])];
  expect([plain.code, strict.code, strict.stdout]).toEqual([0, 1, plain.stdout]);
  expect(plain.stdout).toMatch(
    /^! No rule broken; 1 suspicion \(\w+ spike\); exit 0, or 1 with --strict\n(.*\n)+ {2}x\.csv:79 {2}spike \(\w+\) .*\n {4}high .* times the\n? *usual/,
  );
  expect(Math.max(...plain.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the result names the hash of each file, the shape that was read, and counts of rules and doubts', async () => {
  const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const plain = Buffer.from(formatCsv(rows));
  const half = Buffer.from(formatCsv(rows.slice(0, 300)));
  const files: [name: string, bytes: Uint8Array][] = [
    ['a.csv', plain],
    ['b.csv.gz', gzipSync(plain)],
    ['c.zip', zipSync({ 'c.csv': plain, '.hidden': new Uint8Array(200_000) })],
  ];
  for (const [name, bytes] of files) {
    const { stdout } = await candleproof(['gate', put(name, bytes), '--json']);
    const [file] = (JSON.parse(stdout) as Gated).files;
    expect([file?.sha256, file?.form?.columns.close, file?.doubts.length], name).toEqual([
      ...[sum(bytes), 'Close', 22],
    ]);
  }
  const parts = [put('x-2019-01-01.csv', half), put('x-2019-01-02.csv', plain)];
  const { stdout } = await candleproof(['gate', ...parts, '--json']);
  expect((JSON.parse(stdout) as Gated).files[0]?.parts?.map(({ sha256 }) => sha256)).toEqual([
    ...[sum(half), sum(plain)],
  ]);
});

test('many suspicions of one kind are one line of the terminal, the gravest of them', async () => {
  const wicked = rows.map((row, at) =>
    at % 90 === 7 ? { ...row, high: row.high * (at === 187 ? 300 : 20) } : row,
  );
  const { stdout } = await candleproof(['gate', put('x.csv', formatCsv(wicked))]);
  expect(stdout.match(/ spike \(/g)).toHaveLength(1);
  expect(stdout).toMatch(
    /x\.csv:189 {2}spike \(grave\) (.*\n)+ +and 6 more of this kind until 2019-01-02T21:40:00Z\n$/,
  );
});

test('missing intervals are damage where --gaps none says so', async () => {
  const file = put('x.csv', formatCsv(rows.filter((_, at) => at !== 300)));
  const codes = ['none', 'idle', 'observe'].map(
    async (gaps) => (await candleproof(['gate', file, '--gaps', gaps])).code,
  );
  expect(await Promise.all(codes)).toEqual([1, 0, 0]);
});

test('files without a row end with 3', async () => {
  const { code, stdout } = await candleproof(['gate', put('none.csv', 'time,open,high,low,close\n')]);
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^\? Not judged: .*none\.csv: no rows\n/)]);
});

test('a volume that is no number ends with 1, naming file, line and column', async () => {
  const file = put('x.csv', formatCsv(rows).replaceAll(/,\d+\n/g, ',abc\n'));
  const { code, stdout } = await candleproof(['gate', file]);
  expect([code, stdout]).toEqual([
    ...[
      1,
      expect.stringMatching(
        /^✗ Damaged: 1 range\n(.*\n)+ {2}x\.csv:2 .*\n {4}volume: a number was expected, "abc"/,
      ),
    ],
  ]);
});

test('a sound file beside an empty one ends with 3', async () => {
  const { code, stdout } = await candleproof(['gate', put('x.csv', formatCsv(rows)), put('none.csv', '')]);
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^\? Not judged: .*none\.csv: no rows\n/)]);
});

const refusals: [what: string, text: string, flags: string[], says: RegExp][] = [
  [
    'a file that is cut off',
    'time,open,high,low,close\n1546300800,1,1,1,1\n1546300860,1',
    [],
    /x\.csv: line 3: 2 columns where 5 are needed/,
  ],
  [
    'columns that there are not',
    'a,b\n',
    ['--columns', 'time,price'],
    /--columns: "time,price": give the columns/,
  ],
  ['an interval that is none', 'a,b\n', ['--interval', 'soon'], /--interval: "soon" is none: give 5m/],
  ['two intervals for one file', 'a,b\n', ['--interval', '5m,1h'], /--interval: 2 for 1 files/],
  ['a unit that is none', 'a,b\n', ['--unit', 'days'], /--unit: "days": take s, ms/],
  ['a way with gaps that is none', 'a,b\n', ['--gaps', 'all'], /--gaps: "all": take none, idle, observe/],
];

for (const [what, text, flags, says] of refusals) {
  test(`${what} ends with 2 and one line`, async () => {
    const { code, stdout, stderr } = await candleproof(['gate', put('x.csv', text), ...flags]);
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toMatch(says);
  });
}

test('a file that is not there ends with 2, and nothing of a file steers the terminal', async () => {
  const missing = await candleproof(['gate', 'no-such.csv']);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('no-such.csv: there is no such file'),
  ]);
  const { code, stderr } = await candleproof(['gate', put('x.csv', '\u001b[31mtime,open\n1,2\n')]);
  expect([code, stderr.includes('\u001b')]).toEqual([2, false]);
});

test('memory stays as it is, however long the file', { tag: '@endurance' }, async () => {
  const peakOf = async (count: number): Promise<number> => {
    const file = test.info().outputPath(`${count}.csv`);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'time,open,high,low,close,volume\n');
    let [price, state] = [100, 1];
    const draw = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    for (let at = 0; at < count; at += 50_000) {
      const lines = Array.from({ length: 50_000 }, (_, row) => {
        const [open, wick] = [price, draw()];
        price *= 1 + (draw() - 0.5) / 500;
        const [high, low] = [
          Math.max(open, price) * (1 + wick / 1000),
          Math.min(open, price) * (1 - draw() / 1000),
        ];
        const values = [open, high, low, price].map((value) => value.toFixed(4));
        return `${1e9 + (at + row) * 60},${values},${Math.ceil(1000 * draw())}\n`;
      });
      appendFileSync(file, lines.join(''));
    }
    const memory = test.info().outputPath(`${count}.json`);
    const { code } = await candleproof(['gate', file], {
      NODE_OPTIONS: `--import ${peakMemory}`,
      PEAK_MEMORY_FILE: memory,
    });
    expect(code).toBe(0);
    return JSON.parse(readFileSync(memory, 'utf8')).mib;
  };
  const [short, long] = [await peakOf(50_000), await peakOf(1_500_000)];
  // The file itself has 48 MiB, its rows as objects 150.
  expect(long - short).toBeLessThan(40);
});
