import fc, { type Arbitrary } from 'fast-check';
import { candleFields, type Distort, type Fields, header, status, text, value } from './damage.ts';

const names = [...candleFields, 'id', 'price', 'priceUsd', 'decimals'];

const headerNames = [
  'date',
  'content-type',
  'content-length',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-additional-total',
  'x-ratelimit-reset',
];

/** Values of an unexpected type, size or sign. */
const odd: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    -0,
    -1,
    1e308,
    5e-324,
    2 ** 53,
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    [],
    {},
    true,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt().map(String),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Changes the records of a list, or a single record. */
function changeRecords(change: (records: unknown[]) => unknown): Distort {
  return value((list) => (Array.isArray(list) ? change(list) : (change([list]) as unknown[])[0]));
}

const place = fc.integer({ min: 0, max: 400 });

const fieldDamage: Arbitrary<Distort> = fc
  .tuple(place, fc.constantFrom(...names), odd)
  .map(([at, name, reported]) =>
    changeRecords((records) =>
      records.map((record, row) => (row === at % records.length ? put(record, name, reported) : record)),
    ),
  );

const columnDamage: Arbitrary<Distort> = fc
  .tuple(fc.constantFrom(...names), odd)
  .map(([name, reported]) =>
    changeRecords((records) => records.map((record) => put(record, name, reported))),
  );

const rowDamage: Arbitrary<Distort> = fc
  .tuple(fc.constantFrom('drop', 'repeat', 'swap', 'reverse', 'replace'), place, place, odd)
  .map(([kind, from, to, reported]) =>
    changeRecords((records) => {
      const [one, other] = [from % (records.length || 1), to % (records.length || 1)];
      if (kind === 'drop') return records.toSpliced(one, other);
      if (kind === 'repeat') return [...records, ...records.slice(one)];
      if (kind === 'reverse') return records.toReversed();
      if (kind === 'replace') return records.map((record, row) => (row === one ? reported : record));
      return records.map((record, row) =>
        row === one ? records[other] : row === other ? records[one] : record,
      );
    }),
  );

const headerDamage: Arbitrary<Distort> = fc
  .tuple(
    fc.constantFrom(...headerNames),
    fc.option(fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.nat().map(String)), { maxLength: 3 })),
  )
  .map(([name, reported]) => header(name, reported ?? undefined));

const bodyDamage: Arbitrary<Distort> = fc.oneof(
  odd.map((other) => value(() => other)),
  fc.string({ unit: 'binary', maxLength: 50 }).map((body) => text(body)),
  fc.nat(600).map((cut) => text((body) => body.slice(0, cut))),
  fc.constantFrom(100, 200, 204, 301, 404, 429, 500, 999).map(status),
);

/** Any damage that a broken server may do to an answer. */
export const damages: Arbitrary<Distort> = fc
  .oneof(fieldDamage, columnDamage, rowDamage, headerDamage, bodyDamage)
  .map(skipBrokenJson);

/** Skips damage to JSON that an earlier damage has broken. */
function skipBrokenJson(damage: Distort): Distort {
  return (exchange) => {
    try {
      return damage(exchange);
    } catch (error) {
      if (error instanceof SyntaxError) return exchange;
      throw error;
    }
  };
}

function put(record: unknown, name: string, value: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return { ...(record as Fields), [name]: value };
}
