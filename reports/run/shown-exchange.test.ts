import type { NamedRow } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { findRowText } from './row-text.ts';
import { findRows, markedBody } from './shown-exchange.ts';

const body = '{"n": 1, "data": [{"t": "a],\\"", "v": [1]}, {"t": 2}, [3, 4]]}';

const markRows = (text: string, ...places: Omit<NamedRow, 'exchange'>[]): string => {
  const rows = places.map((place) => ({ exchange: 7, ...place }));
  return markedBody(text, findRows(text, 7, rows))?.source ?? '';
};

test('a pointer finds its row, whatever its values hold', () => {
  const row = (pointer: string): string | undefined => {
    const found = findRowText(body, pointer);
    return found && body.slice(found.from, found.to);
  };
  expect(row('/data/0/v')).toBe('{"t": "a],\\"", "v": [1]}');
  expect(row('/data/1/t')).toBe('{"t": 2}');
  expect(row('/data/2')).toBe('[3, 4]');
  expect(row('/n')).toBe('1');
  for (const absent of ['/data/3', '/other', '', 'header:date', '/n/0']) expect(row(absent)).toBeUndefined();
});

test('a body that is no JSON has no rows', () => {
  for (const text of ['', '[', '[{"a":', 'oops', '"', '{"a"']) {
    expect(() => markRows(text, { pointer: '/0/a' }, { pointer: '/1', after: true })).not.toThrow();
  }
});

test('rows are marked in the text around them, each once', () => {
  const source = markRows(
    `[${'{"a":1},'.repeat(500)}{"a":2}]`,
    { pointer: '/0' },
    { pointer: '/400/a' },
    { pointer: '/400/b' },
  );
  expect(source.match(/<mark/g)).toHaveLength(2);
  expect(source).toContain('<mark id="exchange-7-at-400">');
  expect(source.length).toBeLessThan(4000);
});

test('the place of a missing row is marked between its neighbours', () => {
  const source = markRows('[{"t":1}, {"t":3}]', { pointer: '/0', after: true });
  expect(source).toContain(
    '{&quot;t&quot;:1}, <mark class="hole" id="exchange-7-at-0">— missing here —</mark>{&quot;t&quot;:3}',
  );
});

test('a row of megabytes takes bounded room', () => {
  const source = markRows(`["${'\\\\'.repeat(2e6)}", 1]`, { pointer: '/0' }, { pointer: '/1' });
  expect(source.match(/<mark/g)).toHaveLength(2);
  expect(source.length).toBeLessThan(10_000);
});
