import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disguises, findShownPart } from '@candleproof/client/testing/disguises';
import { QUOTA_HEADERS } from '@candleproof/client/testing/hostile-targets';
import { test } from '@candleproof/client/testing/targets';
import { candleproof } from '@candleproof/command/command';
import { expect } from '@playwright/test';

/** 32 letters and digits that no test has seen before. */
function freshKey(): string {
  return randomBytes(64)
    .toString('base64')
    .replace(/[^0-9a-zA-Z]/g, '')
    .slice(0, 32);
}

/** Texts that a header may carry. */
function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '.');
}

test('a key that comes back in any disguise, anywhere in an answer, is in no file and no line of a run', async ({
  serve,
  authority,
}) => {
  const key = freshKey();
  const disguised = Object.values(disguises).map((disguise) => disguise(key));
  let requested = 0;
  const { baseUrl } = await serve((_request, response) => {
    const text = disguised[requested % disguised.length] ?? '';
    const other = disguised[(requested * 7 + 3) % disguised.length] ?? '';
    requested++;
    const body = [
      `[{"id":"${text}","icon":${JSON.stringify(other)}}]`,
      JSON.stringify([{ [text]: other }]),
      text,
    ][requested % 3];
    response.writeHead(requested % 4 === 0 ? 400 : 200, inHeader(other), {
      ...QUOTA_HEADERS,
      'x-echo': inHeader(text),
    });
    response.end(body);
  });
  const folder = test.info().outputPath('run');
  mkdirSync(folder, { recursive: true });
  const files = test.info().outputPath('given');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'ca.pem'), authority.ca);
  writeFileSync(join(files, 'key'), key);
  const given = ['--ca-file', join(files, 'ca.pem'), '--api-key-file', join(files, 'key')];
  const flags = ['--base-url', baseUrl, ...given, '--pools-v1', '1', '--pools-v2', '1', '--out', folder];
  const { stdout, stderr } = await candleproof(['check', ...flags]);
  expect(requested).toBeGreaterThan(disguised.length);
  const kept = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  expect(kept.length).toBeGreaterThanOrEqual(7);
  for (const [name, text] of [...kept, ['stdout', stdout], ['stderr', stderr]] as const) {
    expect([name, findShownPart(key, text)]).toEqual([name, undefined]);
  }
});
