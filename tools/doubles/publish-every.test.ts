import { readFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import { listGallery } from '@candleproof/files/package-files';
import { writeSample } from '@candleproof/site/publishing/testing/sample-site';
import { expect, test } from '@playwright/test';
import { checkVenue } from './check-venue.ts';
import { worlds } from './double.ts';
import { galleryFaults } from './faults.ts';
import { lookedVenues } from './looked-venues.ts';

async function publish(...inputs: string[]): Promise<void> {
  const { code, stderr } = await candleproof([
    'publish',
    ...inputs,
    '--site',
    test.info().outputPath('site'),
  ]);
  expect([code, stderr]).toEqual([0, '']);
}

const commands: Readonly<Record<string, readonly string[]>> = {
  check: ['check', 'local', '--label', 'é'.repeat(100), '--commit', 'a'.repeat(64)],
  'check of a part': ['check', 'local', '--only', 'tokens'],
  judge: ['judge', 'tests/fixtures/mitmproxy-f31.har'],
  explore: ['explore', 'local', '--budget', '20'],
  faults: ['serve', 'faults', '--only', 'F31'],
};

/** A kill matrix of all scenes takes as long as fifty checks; samples of it are published below. */
const tags: Readonly<Record<string, string>> = { explore: '@endurance', faults: '@thorough' };

for (const [name, args] of Object.entries(commands))
  test(`what ${name} writes is published`, { tag: tags[name] ?? [] }, async () => {
    const out = test.info().outputPath('out');
    const { code } = await candleproof([...args, '--out', out]);
    expect(code).toBeLessThan(2);
    await publish(out);
  });

test('loads, months and whole kill matrices are published', async () => {
  await publish(...(await writeSample(test.info().outputPath('in'))));
});

for (const [at, name] of listGallery().entries())
  test(`a run of ${name} is published, its sections the operations of that document`, {
    tag: at === 0 ? [] : '@endurance',
  }, async () => {
    const { venue } = lookedVenues[name] ?? {};
    const [world] = worlds;
    const [fault] = galleryFaults;
    if (!venue || !world || !fault) throw new Error(`${name} has no double`);
    const document = readFileSync(`gallery/${name}/openapi.yaml`, 'utf8');
    const run = await checkVenue(venue, document, world, fault, ['--budget', '20']);
    expect(run.rules.some(({ section }) => section.includes(' '))).toBe(true);
    await publish(test.info().outputPath(`${world.opensAt.slice(0, 10)} ${fault.name}`, 'run'));
  });
