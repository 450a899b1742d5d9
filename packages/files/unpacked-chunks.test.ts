import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { unpackChunks } from './unpacked-chunks.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const text = Array.from({ length: 60_000 }, (_, at) => `${1e9 + at * 60},${at % 97},${at % 89}`).join('\n');
const bytes = new TextEncoder().encode(text);

/** Unpacks bytes that come in chunks of one size, each of which overwrites the one before. */
async function unpack(packed: Uint8Array, size = 5000): Promise<string> {
  const chunks = async function* () {
    const buffer = new Uint8Array(size);
    for (let at = 0; at < packed.length; at += size) {
      const chunk = packed.subarray(at, at + size);
      buffer.set(chunk);
      yield buffer.subarray(0, chunk.length);
    }
  };
  const decoder = new TextDecoder();
  let read = '';
  for await (const chunk of unpackChunks(chunks(), 'gate: x'))
    read += decoder.decode(chunk, { stream: true });
  return read;
}

const zipped = zipSync({ 'folder/': new Uint8Array(0), 'folder/a.csv': bytes, '__MACOSX/._a.csv': bytes });

test('gzip, a zip of one file and plain bytes come as they were packed', async () => {
  const two = Buffer.concat([gzipSync(bytes.subarray(0, 777)), gzipSync(bytes.subarray(777))]);
  for (const packed of [bytes, gzipSync(bytes), two, zipped, zipSync({ a: bytes }, { level: 0 })])
    for (const size of [5000, 131_072]) expect((await unpack(packed, size)) === text).toBe(true);
});

test('an archive that is cut off or altered is damaged', async () => {
  for (const packed of [gzipSync(bytes), zipped, zipSync({ a: bytes }, { level: 0 })]) {
    for (const part of [0.3, 0.7, 0.999])
      await expect(unpack(packed.subarray(0, packed.length * part))).rejects.toThrow(
        /damaged: .*fetch it again/,
      );
    const altered = packed.slice();
    for (let at = 0; at < 40; at++) altered[9000 + at] = 49;
    await expect(unpack(altered)).rejects.toThrow(/^gate: x: the (gzip|zip) is damaged/);
  }
});

test('a zip of several files or of none is refused by their names', async () => {
  const several = zipSync({ 'a.csv': bytes, 'b.csv': bytes });
  await expect(unpack(several)).rejects.toThrow('holds a.csv and b.csv; unpack it and name its files');
  await expect(unpack(zipSync({}))).rejects.toThrow('holds no file');
});

test('the source is closed where reading stops early or fails', async () => {
  for (const packed of [bytes, gzipSync(bytes), zipped, Uint8Array.of(0x1f, 0x8b, 9, 9)]) {
    let isClosed = false;
    const chunks = async function* () {
      try {
        for (let at = 0; at < packed.length; at += 5000) yield packed.subarray(at, at + 5000);
      } finally {
        isClosed = true;
      }
    };
    const unpacked = unpackChunks(chunks(), 'gate: x');
    await unpacked.next().catch(() => undefined);
    await unpacked.return(undefined);
    expect(isClosed).toBe(true);
  }
});

test('entries of a zip that are skipped are dropped as they come', async () => {
  const piece = 1 << 20;
  const count = 200;
  for (const method of [0, 8]) {
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt16LE(method, 8);
    for (const at of [18, 22]) head.writeUInt32LE(piece * count, at);
    head.writeUInt16LE('__MACOSX/x'.length, 26);
    const chunks = async function* () {
      yield Buffer.concat([head, Buffer.from('__MACOSX/x')]);
      for (let at = 0; at < count; at++) yield Buffer.alloc(piece, at);
      // Freed buffers are counted off a moment after the collection.
      for (let tries = 0; tries < 20; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        collect();
        kept = process.memoryUsage().arrayBuffers - before;
        if (kept / piece < 20) break;
      }
      yield zipped;
    };
    collect();
    const before = process.memoryUsage().arrayBuffers;
    let kept = Number.NaN;
    let bytes = 0;
    for await (const chunk of unpackChunks(chunks(), 'gate: x')) bytes += chunk.length;
    expect(bytes).toBe(text.length);
    expect(kept / piece).toBeLessThan(20);
  }
});
