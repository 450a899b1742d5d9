import { expect, test } from '@playwright/test';
import { type Catalogue, choose, editionCatalogue, UnknownEdition } from './catalogue.ts';
import type { Question, Rule } from './rule.ts';

function rule(id: string, level: Rule['level'], span: Pick<Rule, 'since' | 'until'> = {}): Rule {
  return {
    id,
    section: '4',
    level,
    statement: 'It holds.',
    broken: 'It does not hold',
    why: 'It matters.',
    needs: [],
    check: () => [],
    ...span,
  };
}

const requested: Question = {
  id: 'tea/temperature',
  section: '',
  question: 'How hot?',
  why: 'It burns.',
  needs: [],
  answer: () => 'hot',
  since: 3,
};

/** Three editions: a rule that stays, one that becomes strict in the second and one that comes with the third. */
const law: Catalogue = {
  rules: [
    rule('tea/is-served', 'must'),
    rule('tea/is-hot', 'should', { until: 1 }),
    rule('tea/is-hot', 'must', { since: 2 }),
    rule('tea/is-strong', 'must', { since: 3 }),
  ],
  questions: [requested],
};

function reported(wanted: number): string[] {
  const { rules, questions } = editionCatalogue(wanted, law, 3);
  return [...rules.map(({ id, level }) => `${id} ${level}`), ...questions.map(({ id }) => id)];
}

test('an edition holds what it held when it came out', () => {
  expect(reported(1)).toEqual(['tea/is-served must', 'tea/is-hot should']);
  expect(reported(2)).toEqual(['tea/is-served must', 'tea/is-hot must']);
  expect(reported(3)).toEqual([
    'tea/is-served must',
    'tea/is-hot must',
    'tea/is-strong must',
    'tea/temperature',
  ]);
});

for (const wanted of [0, 4, 1.5, Number.NaN]) {
  test(`edition ${wanted} of three is refused`, () => {
    expect(() => editionCatalogue(wanted, law, 3)).toThrow(UnknownEdition);
  });
}

test('rules are chosen from the edition that was pinned', () => {
  const first = editionCatalogue(1, law, 3);
  expect(choose(['tea/is-hot'], first).chosen.rules.map(({ level }) => level)).toEqual(['should']);
  expect(choose(['tea/is-strong'], first).unknown).toEqual(['tea/is-strong']);
});
