import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { isArchive, openArchive } from './har-archive.ts';
import { holdBytes } from './har-bytes.ts';
import { HarError } from './har-node.ts';
import { readHar } from './read-har.ts';

const most = 10_000;

function zip(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

test('a recording is read from its archive with the bodies beside it', () => {
  const bytes = zip({ 'har.har': '{"log":{}}', 'a1.json': '[1,2]' });
  const { recording, files, unpack } = openArchive(holdBytes(bytes), 'x.zip', most);
  const body = files.get('a1.json');
  expect(isArchive(holdBytes(bytes))).toBe(true);
  expect([Buffer.concat([...recording]).toString(), body && `${unpack(body)}`]).toEqual([
    '{"log":{}}',
    '[1,2]',
  ]);
  expect([...files.keys()]).toEqual(['har.har', 'a1.json']);
  expect(isArchive(holdBytes(Buffer.from('{"log":{}}')))).toBe(false);
});

const whole = zip({ 'har.har': '{"log":{}}' });
const BROKEN: [name: string, bytes: Uint8Array, message: RegExp][] = [
  ['is cut', whole.subarray(0, whole.length - 30), /^x\.zip: the archive is damaged/],
  ['holds no recording', zip({ 'a1.json': '[]' }), /must hold one \.har file, and has 0/],
  ['holds two', zip({ 'a.har': '{}', 'b.har': '{}' }), /must hold one \.har file, and has 2/],
  ['unpacks to too much', zip({ 'har.har': '0'.repeat(most + 1) }), /unpacks to more than 10000 bytes/],
];

for (const [name, bytes, message] of BROKEN) {
  test(`an archive that ${name} is refused in one line`, () => {
    expect(() => openArchive(holdBytes(bytes), 'x.zip', most)).toThrow(HarError);
    expect(() => openArchive(holdBytes(bytes), 'x.zip', most)).toThrow(message);
  });
}

test('an archive that lies about its sizes is unpacked to no more than it declared', () => {
  const bytes = Buffer.from(zip({ 'har.har': '0'.repeat(most) }));
  // Uncompressed size in the central directory: 24 bytes after its signature.
  bytes.writeUInt32LE(5, bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
  const { recording } = openArchive(holdBytes(bytes), 'x.zip', most);
  const unpacked: Uint8Array[] = [];
  expect(() => {
    for (const chunk of recording) unpacked.push(chunk);
  }).toThrow(/the archive is damaged/);
  expect(Buffer.concat(unpacked).length).toBeLessThanOrEqual(5);
});

test('a recording in gzip is read, and a damaged one is refused in one line', () => {
  const file = test.info().outputPath('x.har.gz');
  const text = JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [] } });
  const packed = gzipSync(text);
  writeFileSync(file, packed);
  expect(readHar(file, '--har').exchanges).toEqual([]);
  writeFileSync(file, packed.subarray(0, 20));
  expect(() => readHar(file, '--har')).toThrow(/the archive is damaged/);
});
