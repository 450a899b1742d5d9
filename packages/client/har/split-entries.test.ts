import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { parseHar } from './har.ts';
import { holdBytes, readChunks } from './har-bytes.ts';
import { HarError } from './har-node.ts';
import { placeWithin } from './har-part.ts';
import { findJsonFault } from './json-fault.ts';

const start = { line: 1, column: 1 };

function* cutInto(text: string, bytes: number): Generator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

const entries = fc.array(
  fc.record({
    comment: fc.json(),
    request: fc.record({ url: fc.constantFrom('https://a.example/\\"é€𝄞', 'https://b.example/') }),
    response: fc.record({ status: fc.constant(200), content: fc.record({ text: fc.json() }) }),
  }),
  { maxLength: 4 },
);
const recording = fc
  .tuple(entries, fc.json(), fc.constantFrom(undefined, 1))
  .map(([entries, comment, space]) =>
    JSON.stringify(
      { 'log"': [1], log: { pages: [{ entries: [2] }], comment, entries, end: 1 } },
      null,
      space,
    ),
  );
const size = fc.integer({ min: 1, max: 40 });

test('a recording is read alike in chunks of any size', () => {
  fc.assert(
    fc.property(recording, size, (text, bytes) => {
      expect(parseHar(cutInto(text, bytes), 'x.har')).toEqual(parseHar(text, 'x.har'));
      expect(parseHar(text, 'x.har').exchanges.length).toBe(JSON.parse(text).log.entries.length);
    }),
  );
});

test('a recording that is no JSON is refused by its first fault, whichever parts it is read in', () => {
  const strange = fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', 'x', '\n', '\\');
  fc.assert(
    fc.property(recording, fc.nat(), strange, size, (json, where, inserted, bytes) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + inserted + json.slice(at + (inserted === '' ? 1 : 0));
      const index = findJsonFault(text);
      fc.pre(index < text.length || !text.trimEnd().endsWith('}'));
      const { line, column } = placeWithin({ text, start, cuts: [] }, index);
      const message = new RegExp(`line ${line}, column ${column} |is there twice`);
      expect(() => parseHar(cutInto(text, bytes), 'x.har')).toThrow(HarError);
      expect(() => parseHar(cutInto(text, bytes), 'x.har')).toThrow(message);
    }),
  );
});

test('a text too long to be parsed is left out with a mark, and places behind it are right', {
  tag: '@endurance',
}, () => {
  const long = 'é€𝄞\\"'.repeat(8_000_000);
  const sent = (text: string): string =>
    `{"request":{"url":"https://a.example/"},"response":{"status":200,"content":{"text":"${text}"}}}`;
  const whole = (end: string): Iterable<Uint8Array> =>
    readChunks(holdBytes(Buffer.from(`{"log":{"entries":[${sent(long)},${sent('[]')}${end}`)));
  const { exchanges } = parseHar(whole(']}}'), 'x.har');
  expect(exchanges.map(({ response, recorder }) => [response?.body?.text, recorder?.bodyOverLimit])).toEqual([
    [undefined, true],
    ['[]', undefined],
  ]);
  const column = 20 + sent('').length + long.length + 1 + sent('[]').length;
  expect(() => parseHar(whole('x]}}'), 'x.har')).toThrow(`line 1, column ${column} `);
});
