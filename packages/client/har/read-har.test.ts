import { expect, test } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { HarError } from './har-node.ts';
import { isArchive, openArchive } from './read-har.ts';

const most = 10_000;

function zip(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

test('a recording is read from its archive with the bodies beside it', () => {
  const bytes = zip({ 'har.har': '{"log":{}}', 'a1.json': '[1,2]' });
  const { recording, attached } = openArchive(bytes, 'x.zip', most);
  expect([isArchive(bytes), `${recording}`, attached('a1.json')?.toString()]).toEqual([
    true,
    '{"log":{}}',
    '[1,2]',
  ]);
  expect([attached('gone.json'), attached('toString')]).toEqual([undefined, undefined]);
  expect(isArchive(Buffer.from('{"log":{}}'))).toBe(false);
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
    expect(() => openArchive(bytes, 'x.zip', most)).toThrow(HarError);
    expect(() => openArchive(bytes, 'x.zip', most)).toThrow(message);
  });
}

test('an archive that lies about its sizes is unpacked to no more than it declared', () => {
  const bytes = Buffer.from(zip({ 'har.har': '0'.repeat(most) }));
  // Uncompressed size in the central directory: 24 bytes after its signature.
  bytes.writeUInt32LE(5, bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
  let length = 0;
  try {
    length = openArchive(bytes, 'x.zip', most).recording.length;
  } catch (error) {
    expect(error).toBeInstanceOf(HarError);
  }
  expect(length).toBeLessThanOrEqual(5);
});
