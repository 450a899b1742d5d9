import type { Spec } from '@candleproof/document/spec/spec';
import { expect, test } from '@playwright/test';
import { judge } from '../../judge/judge.ts';
import { spec } from '../../worlds/breach-case.ts';
import { rows, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';
import { adjacentAnswerRules } from './adjacent-answers.ts';

/** A run against a target whose ranges all exclude the rows that start at their ends. */
const exclusive = withExchanges(record({ ...usualWorld, membership: 'meets [from, to]' }), (all) =>
  all.map((exchange) => {
    const { searchParams } = new URL(exchange.request.url);
    const [from, to] = ['from', 'to'].map((name) => Number(searchParams.get(name)));
    const isInside = (start: unknown): boolean => Number(start) > (from ?? 0) && Number(start) < (to ?? 0);
    const isHistory = /\/v2\//.test(exchange.request.url) && exchange.response?.status === 200;
    return isHistory
      ? rows((list) => list.filter((row) => isInside(row.startTimestampSeconds)))(exchange)
      : exchange;
  }),
);

function outcome(document: Spec): string | undefined {
  const catalogue = { rules: adjacentAnswerRules, questions: [] };
  return judge(document, exclusive.recording, { catalogue, replay: () => '' }).rules[0]?.outcome;
}

test('edges that every answer of an undocumented API leaves out are no loss between two answers', () => {
  const [history] = spec.operations.filter(({ role }) => role === 'history');
  if (!history) throw new Error('the document has a history');
  const stated = history.parameters.map((parameter) =>
    parameter.role === 'from' ? { ...parameter, edge: 'inclusive' as const } : parameter,
  );
  const other: Spec = { ...spec, isOurs: false };
  expect(outcome(spec)).toBe('failed');
  expect(outcome(other)).toBe('inconclusive');
  expect(outcome({ ...other, operations: [{ ...history, parameters: stated }] })).toBe('failed');
});
