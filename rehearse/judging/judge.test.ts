import { expect, test } from '@playwright/test';
import type { Play } from '../law/play.ts';
import type { JudgedExpectation, PlayedScenario } from '../rehearsal.ts';
import { scenarios } from '../scenarios/catalogue.ts';
import type { ClientScenario } from '../scenarios/scenario.ts';
import { played } from '../testing/plays.ts';
import { judgePlay, verdictOf, verdictOfAll } from './judge.ts';

function scenarioOf(id: string): ClientScenario {
  const found = scenarios.find((scenario) => scenario.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

function judged(id: string, play: Play, expectations: readonly JudgedExpectation[] = []) {
  return verdictOf(scenarioOf(id), play, { ...judgePlay(play), expectations });
}

const refused = [{}, { arrived: 50, status: 429, retryAfter: 2 }];
const gone = { ended: 100, end: { how: 'exited', code: 0 } } as const;
const met = { what: 'exit=0', outcome: 'passed', actual: 'exit code 0' } as const;

test('a client that ends before the rules of its trouble can judge it has not passed', () => {
  const trouble = { began: 50, ended: 2050, tells: true };
  const play = played(refused, { ...gone, trouble });
  expect(judged('rate-limited', play)).toEqual({
    verdict: 'inconclusive',
    reason:
      'client/waits-as-retry-after-says stays open: the client ended before that time was over; --expect decides it',
  });
  expect(judged('rate-limited', play, [met]).verdict).toBe('conformant');
  const waited = played([...refused, { arrived: 2100 }], { trouble });
  expect(judged('rate-limited', waited).verdict).toBe('conformant');
});

test('a month that the client never used up decides nothing', () => {
  const spent = [{ remaining: 1 }, { arrived: 9000, remaining: 0 }];
  expect(judged('quota-low', played([{}], { noOverage: true }))).toEqual({
    verdict: 'inconclusive',
    reason:
      'client/stays-within-its-quota stays open: no answer said that nothing is left; --expect decides it',
  });
  expect(judged('quota-low', played(spent, { noOverage: true })).verdict).toBe('conformant');
  expect(judged('quota-low', played(spent))).toMatchObject({ verdict: 'inconclusive', unasked: true });
});

test('wrong data without an expectation is not decided, and a control without a good answer neither', () => {
  expect(judged('gap', played([{}]))).toEqual({
    ...{ verdict: 'inconclusive', unasked: true },
    reason: 'the wrong data decides nothing without --expect',
  });
  expect(judged('gap', played([{}]), [met]).verdict).toBe('conformant');
  expect(judged('steady', played([{ status: 401 }]))).toMatchObject({ verdict: 'inconclusive' });
  expect(judged('steady', played([{}])).verdict).toBe('conformant');
});

test('every trouble names rules that are there', () => {
  const ids = judgePlay(played([])).rules.map(({ id }) => id);
  for (const { id, kind, about = [] } of scenarios)
    expect([id, about.length > 0, about.filter((each) => !ids.includes(each))]).toEqual([
      ...[id, kind === 'trouble', []],
    ]);
});

test('what was not called for is counted beside the verdict, and decides it where it was named', () => {
  const well = { id: 'steady', verdict: 'conformant', reason: 'no must is broken' } as const;
  const open = {
    ...{ id: 'gap', verdict: 'inconclusive', unasked: true },
    reason: 'the wrong data decides nothing without --expect',
  } as const satisfies Partial<PlayedScenario>;
  expect(verdictOfAll([well, open], false)).toEqual({
    verdict: 'conformant',
    reason: 'no must is broken in 1 of 2 scenarios; 1 not decided without --expect or --no-overage',
  });
  expect(verdictOfAll([well, open], true).verdict).toBe('inconclusive');
  expect(verdictOfAll([open], false).verdict).toBe('inconclusive');
});
