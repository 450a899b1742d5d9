import { expect, test } from '@playwright/test';
import { loadBreachTables } from '../worlds/breach-case.ts';
import { catalogue } from './catalogue.ts';

const law = [...catalogue.rules, ...catalogue.questions];

test('every case speaks of a rule in the catalogue', async () => {
  const { breaches, nearMisses } = await loadBreachTables();
  const known = new Set(catalogue.rules.map((rule) => rule.id));
  expect([...breaches, ...nearMisses].map((sample) => sample.rule).filter((id) => !known.has(id))).toEqual(
    [],
  );
});

test('ids are unique and name group and what holds', () => {
  const ids = law.map((entry) => entry.id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+\/[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
});

test('every rule states what holds and why it matters', () => {
  const mute = catalogue.rules.filter(
    ({ statement, why }) => !/\w{3}.*\.$/.test(statement) || !/\w{3}.*\.$/.test(why),
  );
  expect(mute.map((rule) => rule.id)).toEqual([]);
  const vague = catalogue.questions.filter(
    ({ question, why }) => !question.endsWith('?') || !why.endsWith('.'),
  );
  expect(vague.map((question) => question.id)).toEqual([]);
});

test('every rule and question names a section of the document or none', () => {
  expect(law.filter(({ section }) => !/^([1-9](\.\d)?)?$/.test(section)).map((entry) => entry.id)).toEqual(
    [],
  );
});

test('every rule and question asks for evidence', () => {
  expect(law.filter(({ needs }) => needs.length === 0).map((entry) => entry.id)).toEqual([]);
});
