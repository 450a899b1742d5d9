import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import type { RepairPlan } from '@candleproof/gate/repair';
import { formatCsv, listTimes, makeRows, type SampleRow } from '@candleproof/gate/testing/tables';
import { expect, test } from '@playwright/test';

const rows = makeRows(listTimes(600, 300));

function put(name: string, text: string | Uint8Array): string {
  const file = test.info().outputPath(name);
  writeFileSync(file, text);
  return file;
}

/** Rows with a wrong high, a volume below zero, a row that comes twice and one that is missing. */
const damaged = rows.flatMap((row, at): SampleRow[] => {
  if (at === 77) return [{ ...row, high: row.low - 1 }];
  if (at === 100 || at === 101) return [{ ...row, volume: -4 }];
  if (at === 200) return [row, { ...row, close: row.high }];
  return at === 300 ? [] : [row];
});

test('a plan names what to fetch again, which rows to drop, and of which column', async () => {
  const [file, plan] = [put('x.csv', formatCsv(damaged)), test.info().outputPath('plan.json')];
  const { code } = await candleproof(['gate', file, '--gaps', 'none', '--repair', plan]);
  const [only, ...others] = (JSON.parse(readFileSync(plan, 'utf8')) as RepairPlan).files;
  expect([code, others]).toEqual([1, []]);
  expect(only).toMatchObject({ file, interval: '5m', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(only?.fetch).toEqual([
    { from: '2019-01-01T06:25:00Z', to: '2019-01-01T06:30:00Z', why: 'impossible' },
    { from: '2019-01-01T08:20:00Z', to: '2019-01-01T08:30:00Z', why: 'impossible' },
    { from: '2019-01-02T01:00:00Z', to: '2019-01-02T01:05:00Z', why: 'gap' },
  ]);
  expect(only?.drop.map(({ lines, columns }) => [lines, columns])).toEqual([
    [[[79, 79]], 'all'],
    [[[102, 103]], ['volume']],
    [[[203, 203]], 'all'],
  ]);
  expect(only?.decide).toEqual([]);
});

test('a level that changes is left to a person', async () => {
  const level = rows.map(({ time, volume, ...prices }, at) => {
    const [open, high, low, close] = [prices.open, prices.high, prices.low, prices.close].map((price) =>
      at >= 400 ? price / 10 : price,
    ) as [number, number, number, number];
    return { time, volume, open, high, low, close };
  });
  const [file, plan] = [put('x.csv', formatCsv(level)), test.info().outputPath('plan.json')];
  await candleproof(['gate', file, '--repair', plan]);
  expect((JSON.parse(readFileSync(plan, 'utf8')) as RepairPlan).files[0]).toMatchObject({
    fetch: [],
    drop: [],
    decide: [{ line: 402, why: expect.stringContaining('such as a split of 1:10') }],
  });
});

test('the clean rows are those that no rule doubts, with their lines, and are sound', async () => {
  const [file, clean] = [put('x.csv', formatCsv(damaged)), test.info().outputPath('clean.csv')];
  const { stdout } = await candleproof(['gate', file, '--clean', clean]);
  expect(stdout).toContain(`written: ${clean}\n`);
  const [head, ...lines] = readFileSync(clean, 'utf8').trimEnd().split('\n');
  expect([head, lines.length]).toEqual(['line,time,open,high,low,close,volume', 596]);
  const kept = lines.map((line) => Number(line.split(',')[0]));
  const doubted = [79, 102, 103, 203];
  expect(kept).toEqual(damaged.flatMap((_, at) => (doubted.includes(at + 2) ? [] : [at + 2])));
  const { open, high, low, close } = rows[0] as SampleRow;
  expect(lines[0]).toBe(`2,2019-01-01T00:00:00Z,${[open, high, low, close].join()},1000`);
  const again = await candleproof(['gate', clean]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('596 rows of 5m')]);
  expect(readdirSync(dirname(clean)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('files in UTF-16 and with the line ends of old Macs are cleaned as they are judged', async () => {
  const text = formatCsv(damaged);
  const cleaned = async (name: string, bytes: string | Uint8Array): Promise<string> => {
    const clean = test.info().outputPath(`clean-${name}`);
    await candleproof(['gate', put(name, bytes), '--clean', clean]);
    return readFileSync(clean, 'utf8');
  };
  const expected = await cleaned('plain.csv', text);
  expect(await cleaned('wide.csv', Buffer.from(`\uFEFF${text}`, 'utf16le'))).toBe(expected);
  expect(await cleaned('mac.csv', text.replaceAll('\n', '\r'))).toBe(expected);
});

test('files of one table are cleaned with the file and line of each row', async () => {
  const parts = [
    put('x-2019-01-01.csv', formatCsv(damaged.slice(0, 288))),
    put('x-2019-01-02.csv', formatCsv(damaged.slice(288))),
  ];
  const clean = test.info().outputPath('clean.csv');
  await candleproof(['gate', ...parts, '--clean', clean]);
  const lines = readFileSync(clean, 'utf8').trimEnd().split('\n');
  expect(lines[0]).toBe('file,line,time,open,high,low,close,volume');
  expect(lines.find((line) => line.startsWith(`${parts[1]},2,`))).toContain(',2019-01-01T23:55:00Z,');
  expect(lines).toHaveLength(597);
});

test('what cannot be cleaned ends with 2 and leaves no file', async () => {
  const clean = test.info().outputPath('clean.csv');
  const file = put('x.csv', formatCsv(rows));
  const two = await candleproof(['gate', file, put('y.csv', formatCsv(rows)), '--clean', clean]);
  expect([two.code, two.stderr]).toEqual([2, 'candleproof: --clean: takes one table; give a call to each\n']);
  const piped = await candleproof(['gate', '-', '--clean', clean]);
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('--clean: reads each file twice')]);
  const nowhere = await candleproof(['gate', file, '--clean', `${file}/none/x.csv`]);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--clean: ')]);
  expect(existsSync(clean)).toBe(false);
});

test('two sources of one market are compared, whatever their names', async () => {
  const other = rows.map((row, at) => (at === 77 ? { ...row, low: row.high + 1 } : row));
  const files = [put('x-2019-01-01.csv', formatCsv(rows)), put('x-2019-01-02.csv', formatCsv(other))];
  const { code, stdout } = await candleproof(['gate', ...files, '--same']);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/ 599 rows in both, 1 range of rows that\n? *differ\n/),
  ]);
  expect(stdout).toMatch(
    /2019-01-01T06:25:00Z to 2019-01-01T06:30:00Z: 1 row, rows of the first only;\n {4}the law doubts x-2019-01-02\.csv\n/,
  );
  expect(stdout).not.toContain('no roll-up');
  const one = await candleproof(['gate', files[0] ?? '', '--same']);
  expect([one.code, one.stderr]).toEqual([2, 'candleproof: --same: takes two tables, 1 were given\n']);
});
