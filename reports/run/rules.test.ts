import { expect, test } from '@playwright/test';
import { sampleRun } from '../testing/sample-run.ts';
import { matrixPart } from './rules.ts';

test('sections come in the order of the document, good practice last', () => {
  const { source } = matrixPart(sampleRun);
  const names = [...source.matchAll(/<h3>(.*?)<\/h3>/g)].map((match) => match[1]?.split(' ')[0]);
  expect(names).toEqual(['§1', '§2', '§2.1', '§2.2', '§4', '§4.1', '§4.2', '§4.3', '§5', '§8', 'Good']);
});

test('a section in which all passed is folded, any other open', () => {
  const { source } = matrixPart(sampleRun);
  expect(source).toMatch(/<details class="chapter"><summary><h3>§1 /);
  expect(source).toMatch(/<details class="chapter" open><summary><h3>§2\.2 /);
});

test('a failed rule leads to its finding', () => {
  const { source } = matrixPart(sampleRun);
  expect(source).toContain('candle/high-is-highest <a href="#finding-2">finding 2</a>');
});
