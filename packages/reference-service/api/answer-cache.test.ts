import { expect, test } from '@playwright/test';
import { AnswerCache, tagBody } from './answer-cache.ts';
import { Pieces } from './message.ts';

const rows = Buffer.alloc(1_000_000, '0');
const inPieces = { body: new Pieces([rows.subarray(0, 3), rows.subarray(3, 5)]), tag: '"1"' };

test('a repeated request gets the same bytes in a single compact piece', () => {
  const kept = new AnswerCache();
  const read = () => kept.read('/tokens', 'now', () => inPieces);
  expect(String(read().body)).toBe('00000');
  expect(String(read().body)).toBe('00000');
  expect(read().body.all).toHaveLength(1);
  expect(read().body.held).toBeLessThan(rows.length);
});

test('answers are weighed by the memory that they keep alive', () => {
  const kept = new AnswerCache();
  let made = 0;
  const read = (name: string): void => {
    kept.read(name, 'now', () => {
      made += 1;
      const body = Buffer.alloc(1_000_000);
      return { ...inPieces, body: new Pieces([body.subarray(0, 3), body.subarray(3, 5)]) };
    });
  };
  for (let number = 0; number < 200; number++) read(String(number));
  read('0');
  expect(made).toBe(201);
  read('199');
  expect(made).toBe(201);
});

test('an answer for another time is made again', () => {
  const kept = new AnswerCache();
  kept.read('/tokens', '1', () => tagBody('old'));
  expect(String(kept.read('/tokens', '2', () => tagBody('new')).body)).toBe('new');
});
