import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { called } from '@candleproof/command/called';
import { candleproof } from '@candleproof/command/command';
import type { WrittenReport } from '@candleproof/monitors/page/written-report';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';
import { watchConfig } from './testing/watching.ts';

function run(...args: string[]): Promise<Ended> {
  return candleproof(args, { CANDLEPROOF_STATE_DIR: test.info().outputPath('state') });
}

test('two locations make one report and their figures stay apart', async () => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const files: string[] = [];
  for (const location of ['sydney', 'lagos']) {
    const data = ['--data', info.outputPath(location)];
    const config = watchConfig(info.outputDir, target.ready, location);
    expect((await run('monitor', '--once', '--config', config, ...data)).code).toBe(0);
    files.push(info.outputPath(`${location}.ndjson`));
    const exported = await run('monitor', 'results', 'export', ...data, '--out', files.at(-1) ?? '');
    expect(exported).toEqual({ code: 0, stdout: '', stderr: '' });
  }
  await target.stop();
  const merged = ['--data', info.outputPath('merged')];
  const first = await run('monitor', 'results', 'import', ...files, ...merged);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^read 2 files: slots \d+, events \d+/),
  });
  const once = await run('monitor', 'results', 'export', ...merged);
  expect((await run('monitor', 'results', 'import', files[0] ?? '', ...merged)).code).toBe(0);
  expect((await run('monitor', 'results', 'export', ...merged)).stdout).toBe(once.stdout);
  const objectives = ['--config', info.outputPath('lagos.yaml')];
  const report = await run('report', '--json', ...merged, ...objectives, '--out', info.outputPath('report'));
  const { targets }: WrittenReport['numbers'] = JSON.parse(report.stdout);
  expect(targets.map(({ target, location, n }) => [target, location, n])).toEqual([
    ['shop', 'lagos', 3],
    ['shop', 'sydney', 3],
  ]);
  expect(readdirSync(info.outputPath('report'))).toEqual(['index.html']);
  expect(targets[1]?.objectives).toMatchObject([
    { indicator: 'availability', n: 3, measured: 1 },
    {},
    {},
    {},
  ]);
  writeFileSync(info.outputPath('other.ndjson'), once.stdout.replaceAll('"shop"', '"kiosk"'));
  await run('monitor', 'results', 'import', info.outputPath('other.ndjson'), ...merged);
  const several = await run('report', ...merged, '--out', info.outputPath('several'));
  expect(several).toMatchObject({ code: 0, stderr: '' });
  const names = readdirSync(info.outputPath('several')).toSorted();
  expect(names).toEqual(['index.html', 'target-kiosk.html', 'target-shop.html']);
  const index = readFileSync(info.outputPath('several', 'index.html'), 'utf8');
  for (const name of names.slice(1)) expect(index).toContain(`href="${name}"`);
});

test('one bad line among several files is named and nothing is taken in', async () => {
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const [good, bad] = [info.outputPath('good.ndjson'), info.outputPath('bad.ndjson')];
  const event = '{"type":"event","at":1795297821949,"kind":"monitor-started","detail":{"location":"desk"}}';
  writeFileSync(good, `${event}\n`);
  writeFileSync(bad, `${event}\n{"type":"event"}\n`);
  const merged = ['--data', info.outputPath('merged')];
  const { code, stdout, stderr } = await run('monitor', 'results', 'import', good, bad, ...merged);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^candleproof: .*bad\.ndjson:2: the line must have .*: mend the line, or leave it out\.\n$/,
  );
  expect(await run('monitor', 'results', 'export', ...merged)).toEqual({ code: 0, stdout: '', stderr: '' });
  const empty = await run('report', '--json', ...merged, '--out', info.outputPath('report'));
  expect({ ...empty, stdout: JSON.parse(empty.stdout).targets }).toEqual({ code: 0, stdout: [], stderr: '' });
  expect(readFileSync(info.outputPath('report', 'index.html'), 'utf8')).toContain('</html>');
});

const refusals: [what: string, args: string[], reported: RegExp][] = [
  ['a missing store', ['export', '--data', 'nowhere'], /no folder nowhere: name .* --data/],
  ['a time without a zone', ['export', '--from', '2026-01-01T10:00'], /--from: .* is no time/],
  ['a range that ends first', ['export', '--from', '2026-01-02', '--to', '2026-01-01'], /before --to/],
  ['an unknown form', ['export', '--format', 'xml'], /Allowed choices are ndjson, csv/],
  ['a missing file', ['import', 'nofile', '--data', 'nowhere'], /nofile: there is no such file/],
  ['the size of nothing', ['size', '--data', 'nowhere'], /no folder nowhere: name .* --data/],
];

test('what cannot be exported, imported or measured is refused in one line', async () => {
  for (const [what, args, pattern] of refusals) {
    const { code, stdout, stderr } = await called(['monitor', 'results', ...args]);
    expect({ what, code, stdout }).toEqual({ what, code: 2, stdout: '' });
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(existsSync('nowhere')).toBe(false);
});
