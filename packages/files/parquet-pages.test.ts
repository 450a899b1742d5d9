import { expect, test } from '@playwright/test';
import { checkPages } from './parquet-pages.ts';

/** Encodes a number as Thrift's compact protocol does. */
function encode(value: number): number[] {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

type Claims = {
  readonly kind?: number;
  readonly unpacked: number;
  readonly packed: number;
  readonly values: number;
  /** The least and greatest value of the page, as bytes. */
  readonly extremes?: readonly (readonly number[])[];
};

/** Returns a page: its type, its sizes, then its own head, of data (5) or of a dictionary (7), and its bytes. */
function page({ kind = 5, unpacked, packed, values, extremes = [] }: Claims, bytes: number): number[] {
  const statistics = extremes.flatMap((extreme) => [0x18, extreme.length, ...extreme]);
  const all = extremes.length > 0 ? [0x4c, ...statistics, 0] : [];
  const own = [((kind - 3) << 4) | 12, 0x15, ...encode(values), ...all, 0];
  return [
    0x15,
    0,
    0x15,
    ...encode(unpacked),
    0x15,
    ...encode(packed),
    ...own,
    0,
    ...new Array(bytes).fill(7),
  ];
}

const check =
  (bytes: number[], rows = 10, codec = 'SNAPPY') =>
  () =>
    checkPages({ bytes: Uint8Array.from(bytes), rows, codec });

test('pages as writers make them are accepted', () => {
  const two = [
    ...page({ unpacked: 40, packed: 20, values: 4 }, 20),
    ...page({ unpacked: 40, packed: 40, values: 6 }, 40),
  ];
  expect(check(two)).not.toThrow();
  const dictionary = page({ kind: 7, unpacked: 40, packed: 40, values: 5 }, 40);
  expect(check([...dictionary, ...two], 10)).not.toThrow();
  expect(check([])).not.toThrow();
});

test('the least and greatest value of a page are skipped, whatever their bytes', () => {
  const extremes = [new Array(8).fill(0x1c), [0x7a, 0, 0, 0, 0, 0, 0xf0, 0x3f]];
  const values = page({ unpacked: 40, packed: 40, values: 10, extremes }, 40);
  expect(check(values)).not.toThrow();
  expect(check([...values, ...values])).toThrow(/claims|values/);
});

test('a page that claims more than its bytes or its group hold is refused before it is read', () => {
  const claims: [Claims, RegExp][] = [
    [{ unpacked: 40, packed: 40, values: 2_000_000_000 }, /claims 2000000000 values of a group of 10 rows/],
    [{ unpacked: 40, packed: 40, values: -1 }, /claims -1 values/],
    [{ unpacked: 2_000_000_000, packed: 40, values: 4 }, /of 40 bytes claims to unpack to 2000000000/],
    [{ unpacked: 40, packed: 2_000_000_000, values: 4 }, /claims 2000000000 bytes of 40/],
    [{ unpacked: 40, packed: -40, values: 4 }, /claims -40 bytes/],
    [
      { kind: 7, unpacked: 40, packed: 40, values: 2_000_000_000 },
      /dictionary of 40 bytes claims 2000000000/,
    ],
  ];
  for (const [claim, says] of claims) expect(check(page(claim, 40))).toThrow(says);
  expect(check(page({ unpacked: 80, packed: 40, values: 4 }, 40), 10, 'UNCOMPRESSED')).toThrow(
    /claims to unpack to 80/,
  );
});

test('zstd may unpack to as much as the rows of a group need, and no more', () => {
  const claim = (unpacked: number) => check(page({ unpacked, packed: 40, values: 4 }, 40), 1e6, 'ZSTD');
  expect(claim(16e6)).not.toThrow();
  expect(claim(18e6)).toThrow(/claims to unpack to 18000000/);
});

test('the head of a page that is deep, damaged or cut off is refused', () => {
  expect(check(new Array(5000).fill(0x1c))).toThrow('too deep');
  expect(check([0x15, 0x80])).toThrow('cut off');
  expect(check(new Array(50).fill(0xff))).toThrow(/page/);
});
