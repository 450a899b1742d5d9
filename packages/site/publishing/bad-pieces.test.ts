import { globSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleRun as sampleLoad } from '@candleproof/load/testing/runs';
import { sampleMatrix } from '@candleproof/reports/testing/sample-matrix';
import { expect, test } from '@playwright/test';
import { publishSite } from './publish-site.ts';
import { SiteFolder } from './site-folder.ts';
import { sampleRunOn, writeRun, writeSample } from './testing/sample-site.ts';

const options = { now: Date.UTC(2026, 10, 22), all: false };

async function publish(site: string, ...paths: string[]): Promise<SiteFolder> {
  const folder = new SiteFolder(site);
  await publishSite(paths, folder, options);
  return folder;
}

function written(folder: string, name: string, content: unknown): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

const [kill] = sampleMatrix(1).kills;
const load = sampleLoad();

for (const [what, name, content] of [
  ['a fault without its rules', 'kill-matrix.json', { ...sampleMatrix(1), kills: [{ id: kill?.id }] }],
  ['an instant that is none', 'kill-matrix.json', { ...sampleMatrix(1), startedAt: '' }],
  [
    'a catalogue that is a path',
    'kill-matrix.json',
    { ...sampleMatrix(1), versions: { catalogue: '../..' } },
  ],
  ['a part without its end', 'load.json', { ...load, parts: [{ startedAt: 'x' }] }],
  ['a trial without its versions', 'load.json', { ...load, trial: { ...load.trial, versions: undefined } }],
  ['a reason that is no text', 'load.json', { ...load, reasons: [{}] }],
] as const) {
  test(`${name} with ${what} is refused before a byte is written`, async () => {
    const site = test.info().outputPath('site');
    const good = writeRun(test.info().outputPath('good'), sampleRunOn('main', 1));
    const bad = written(test.info().outputPath('bad'), name, content);
    await expect(publish(site, good, bad)).rejects.toThrow(
      new RegExp(`bad/${name}: /.+; give the file that`),
    );
    expect(globSync('**/*', { cwd: site })).toEqual([]);
  });
}

test('a site goes on without any piece of it that is bad, and says which', async () => {
  const site = test.info().outputPath('site');
  await publish(site, ...(await writeSample(test.info().outputPath('in'))));
  const pieces = [
    ...globSync('faults/*/*.json', { cwd: site }),
    ...globSync('load/*/load.json', { cwd: site }),
    ...globSync('monitor/*/*/*.json', { cwd: site }),
    ...globSync('api/targets/*.json', { cwd: site }).slice(0, 1),
    ...globSync('t/*/runs/*/run.json', { cwd: site }).slice(0, 2),
    'api/rules.json',
  ];
  expect(new Set(pieces.map((piece) => piece.split('/')[0])).size).toBe(5);
  const contents = ['{}', '{"kind": 7', '[null]', JSON.stringify({ slug: '../../out', month: '2026-11' })];
  const whole = new Map(pieces.map((piece) => [piece, readFileSync(join(site, piece), 'utf8')]));
  // All at once; those that others are read from alone, and every piece alone in a thorough run.
  const single = pieces.filter((piece) => process.env.CANDLEPROOF_THOROUGH || piece.startsWith('api/'));
  const trials = [
    ...(process.env.CANDLEPROOF_THOROUGH ? contents : [undefined]).flatMap((content) =>
      single.map((piece) => ({ bad: [piece], content })),
    ),
    { bad: pieces.filter((piece) => !piece.startsWith('api/')), content: undefined },
  ];
  for (const { bad, content } of trials) {
    for (const piece of bad)
      writeFileSync(join(site, piece), content ?? contents[pieces.indexOf(piece) % contents.length] ?? '');
    // Drawing the pages again reads the runs again.
    writeFileSync(join(site, 'api', 'renderer.json'), '{}');
    const reported = await publish(site);
    expect([...reported.bad.keys()], `${bad} as ${content}`).toEqual(expect.arrayContaining(bad));
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('</html>');
    for (const piece of bad) writeFileSync(join(site, piece), whole.get(piece) ?? '');
    await publish(site);
  }
});

test('a site writes through no link inside of it', async () => {
  const site = test.info().outputPath('site');
  const outside = test.info().outputPath('outside');
  const run = writeRun(test.info().outputPath('in'), sampleRunOn('main', 1));
  await publish(site, run);
  for (const folder of ['assets', 't/main', 'api/targets']) {
    const moved = join(outside, folder);
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(join(site, folder), moved);
    symlinkSync(moved, join(site, folder));
    writeFileSync(join(site, 'api', 'renderer.json'), '{}');
    for (const file of globSync('**/*.{css,html,json}', { cwd: moved }).slice(0, 1))
      writeFileSync(join(moved, file), 'mine');
    await expect(publish(site, run)).rejects.toThrow(
      `${folder} is a link, and nothing is written through it`,
    );
    expect(
      globSync('**/*.{css,html,json}', { cwd: moved }).map((file) => readFileSync(join(moved, file), 'utf8')),
    ).toContain('mine');
    renameSync(join(site, folder), test.info().outputPath(`link-${folder.replace('/', '-')}`));
    renameSync(moved, join(site, folder));
  }
});
