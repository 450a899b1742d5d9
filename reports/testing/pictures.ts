import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { launchBrowser } from './browser.ts';

/** The end of the signature and the header of a PNG, after which it may hold text. */
const headEnd = 8 + 25;
const keyword = 'Source\0sha256:';

/**
 * Expects that a PNG was drawn from a page, which it names in its metadata: pixels differ between machines.
 * `--update-snapshots=all` draws it again.
 */
export async function expectPicture(
  file: string,
  page: string,
  width: number,
  height: number,
): Promise<void> {
  const source = createHash('sha256').update(page).digest('hex');
  if (test.info().config.updateSnapshots === 'all' && readSource(file) !== source)
    writeFileSync(file, nameSource(await drawPage(page, width, height), source));
  expect(readSource(file), `${file} is not of today: draw it with --update-snapshots=all`).toBe(source);
  const head = readFileSync(file);
  expect([head.readUInt32BE(16), head.readUInt32BE(20)]).toEqual([width, height]);
}

async function drawPage(html: string, width: number, height: number): Promise<Buffer> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
    await page.setContent(html);
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

function nameSource(png: Buffer, source: string): Buffer {
  const content = Buffer.from(`tEXt${keyword}${source}`, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, headEnd), length, content, sum, png.subarray(headEnd)]);
}

function readSource(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file)
    .subarray(headEnd, headEnd + 200)
    .toString('latin1');
  return /Source\0sha256:([0-9a-f]{64})/.exec(text)?.[1];
}
