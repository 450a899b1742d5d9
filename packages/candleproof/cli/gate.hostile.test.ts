import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { candleproof } from '@candleproof/command/command';
import { measureCommand } from '@candleproof/command/hostile-check';
import { formatCsv, listTimes, makeRows, makeWalk, type SampleRow } from '@candleproof/gate/testing/tables';
import { expect, test } from '@playwright/test';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

const rows = makeRows(listTimes(600, 300));
const lists = rows.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume]);

function put(name: string, bytes: string | Uint8Array): string {
  const file = test.info().outputPath(name);
  writeFileSync(file, bytes);
  return file;
}

async function refusal(file: string): Promise<string> {
  const { code, stdout, stderr } = await candleproof(['gate', file]);
  expect([code, stdout, stderr.split('\n').length], stderr).toEqual([2, '', 2]);
  return stderr;
}

test('Parquet that claims more rows than its bytes can hold is refused at once', async () => {
  const columns = ['time', 'open', 'high', 'low', 'close'] as const satisfies readonly (keyof SampleRow)[];
  const columnData = columns.map((name) => ({ name, data: rows.map((row) => row[name]) }));
  const write = (claimed: bigint): Uint8Array => {
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData }) });
    writer.write({ columnData });
    const [group] = writer.row_groups;
    if (group) group.num_rows = claimed;
    writer.finish();
    return new Uint8Array(bytes.getBuffer());
  };
  const sound = write(600n);
  expect(await candleproof(['gate', put('sound.parquet', sound)])).toMatchObject({ code: 0 });
  for (const [claimed, says] of [
    [4_000_000_000n, /a group claims 4000000000 rows of at most 8388608; give it anew/],
    [8_000_000n, /it claims 8000000 rows in \d+ bytes; give it anew/],
    [-1n, /a group claims -1 rows/],
    [599n, /a page claims 600 values of a group of 599 rows/],
  ] as const)
    expect(await refusal(put('x.parquet', write(claimed)))).toMatch(says);
  const long = sound.slice();
  new DataView(long.buffer).setUint32(long.length - 8, 4_000_000_000, true);
  expect(await refusal(put('y.parquet', long))).toContain('it claims 4000000000 bytes of description');
});

test('a pipe that is given by name is opened once', async () => {
  test.skip(process.platform === 'win32', 'there are no named pipes in folders');
  const pipe = test.info().outputPath('pipe');
  execFileSync('mkfifo', [pipe]);
  const [{ code, stdout }] = await Promise.all([
    candleproof(['gate', pipe]),
    writeFile(pipe, formatCsv(rows)),
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('600 rows of 5m')]);
});

test('sockets, folders and devices are refused', async () => {
  test.skip(process.platform === 'win32', 'devices are of POSIX');
  const socket = test.info().outputPath('s');
  const server = createServer().listen(socket);
  expect(await refusal(socket)).toMatch(/it is a socket or a device and cannot be read; give a file/);
  server.close();
  expect(await refusal(test.info().outputDir)).toMatch(/it is a folder and cannot be read/);
  expect(await refusal('/dev/zero')).toMatch(/a format that is no text/);
});

test('a second array of candles in one JSON file is refused with both places', async () => {
  const damaged = lists.map((row, at) => (at === 300 ? [...row.slice(0, 2), 0, ...row.slice(3)] : row));
  const objects = damaged.map(([time, open, high, low, close]) => ({ time, open, high, low, close }));
  const expectBoth = async (text: string, says: RegExp) =>
    expect(await refusal(put('x.json', text))).toMatch(says);
  await expectBoth(
    JSON.stringify({ BTC: lists, ETH: damaged }),
    /x\.json: row 600: the array at byte 7 \("BTC"\) ends here, and another array of rows begins at byte \d+ \("ETH"\); give each as a file of its own\n$/,
  );
  await expectBoth(JSON.stringify({ a: lists, more: [{ rows: { b: objects } }] }, null, 1), /"a".*"b"/);
  await expectBoth(
    `${JSON.stringify(lists)}\n${JSON.stringify(objects)}`,
    /at byte 0 ends here.*at byte \d+;/,
  );
  const other = {
    result: { XBT: lists, last: 5 },
    error: [],
    ids: [[1], [2]],
    names: ['a'],
    more: [{ a: [] }],
  };
  expect(await candleproof(['gate', put('y.json', JSON.stringify(other))])).toMatchObject({ code: 0 });
});

test('deep cells and deep documents end in one line or a verdict', async () => {
  const deep = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
  const lines = rows.map((row) => JSON.stringify(row));
  lines[300] = lines[300]?.replace(/"volume":[\d.]+/, `"volume":${deep(20_000)}`) ?? '';
  const cell = await candleproof(['gate', put('x.ndjson', lines.join('\n'))]);
  expect([cell.code, cell.stderr]).toEqual([1, '']);
  expect(cell.stdout).toContain('volume: a number was expected');
  expect(await refusal(put('y.json', deep(1_000_000)))).not.toContain('call stack');
  const after = `{"a":${JSON.stringify(lists)},"b":${deep(1_000_000)}}`;
  expect(await candleproof(['gate', put('z.json', after)])).toMatchObject({ code: 0 });
});

test('a large document of columns is judged in little more memory than its bytes', {
  tag: '@endurance',
}, async () => {
  const long = makeWalk(listTimes(400_000, 60), 1, 0.0005);
  const list = (name: keyof SampleRow): unknown[] => long.map((row) => row[name]);
  const columns = { t: list('time'), o: list('open'), h: list('high'), l: list('low'), c: list('close') };
  const file = put('columns.json', JSON.stringify({ s: 'ok', ...columns, pad: '-'.repeat(100_000_000) }));
  const { code, stdout, mib } = await measureCommand(['gate', file], test.info().outputPath('measured'));
  expect([code, stdout]).toEqual([0, expect.stringContaining('400,000 rows of 1m')]);
  expect(mib).toBeLessThan(400);
});

test('a document that is too large to be held is refused with our limit, and a cut one with none', {
  tag: '@endurance',
}, async () => {
  const file = put('large.json', '{"s":"ok","note":"');
  // The bytes behind the beginning take no room on the disk.
  truncateSync(file, 400 << 20);
  const { code, stderr, mib } = await measureCommand(['gate', file], test.info().outputPath('measured'));
  expect([code, mib < 512]).toEqual([2, true]);
  expect(stderr).toMatch(/large\.json: line 1: no list of rows .* at most 256 MB are read: our limit/);
  expect(stderr).not.toMatch(/cut off|--max-body/);
});
