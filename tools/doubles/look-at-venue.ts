import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import type { Ended } from '@candleproof/testing/environment';
import { test } from '@playwright/test';
import type { DoubleWorld } from './double.ts';
import { fillRequest, type LookedVenue } from './looked-venues.ts';
import { openVenue } from './open-venue.ts';

/** The draft of a venue, and the requests that it took. */
export type Look = Ended & { readonly file: string; readonly document: string; readonly requests: number };

/** Looks at one answer of a venue's double, settles what it leaves open, and writes the draft. */
export async function lookAtVenue(
  name: string,
  looked: LookedVenue,
  world: DoubleWorld,
  flags: readonly string[] = [],
): Promise<Look> {
  const { key } = looked.venue;
  const folder = test.info().outputPath(`look at ${name}`);
  mkdirSync(folder, { recursive: true });
  const [file, ca, keyFile] = ['draft.yaml', 'ca.pem', 'key'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ];
  const double = await openVenue(looked.venue, world);
  writeFileSync(ca, double.ca);
  if (key) writeFileSync(keyFile, key.value);
  const keyed = key ? ['--api-key-file', keyFile, '--key-header', `Authorization: ${key.prefix.trim()}`] : [];
  try {
    const [now, { request, data }] = [Date.parse(world.opensAt), looked];
    const url = `${double.url}${fillRequest(request, looked, now)}`;
    const posted = data === undefined ? [] : ['--data', fillRequest(data, looked, now)];
    const ended = await candleproof([
      'look',
      url,
      '--settle',
      ...flags,
      ...['--write', file, '--ca-file', ca],
      ...keyed,
      ...posted,
    ]);
    const document = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const requests = ended.stderr.match(/^(GET|POST) /gm)?.length ?? 0;
    return { ...ended, file, document, requests };
  } finally {
    double.close();
  }
}
