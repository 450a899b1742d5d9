import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { drawLots } from './testing/flaky-front.ts';
import { MemoryService, type Spoil } from './testing/memory-check.ts';
import {
  cutOff,
  failing,
  isAny,
  isHistory,
  refused,
  reset,
  shortened,
  spoilByLot,
  spoilEvery,
  spoilFirst,
  timedOut,
  unavailable,
} from './testing/spoilt-answers.ts';

const service = new MemoryService(loadSpec('openapi.yaml'));

const answered = 'transport/proper-requests-are-answered';
const atFirst = 'transport/answered-at-first';

/** Services that lie now and then, and the must that each of them breaks. */
const lies: readonly (readonly [title: string, spoil: () => Spoil, must: string])[] = [
  ['every third history is 503', () => spoilEvery(3, isHistory, unavailable), answered],
  ['every other history is 503', () => spoilEvery(2, isHistory, unavailable), answered],
  ['the first request of each address is 503', () => spoilFirst(unavailable), answered],
  ['each eighth request is 500', () => spoilEvery(8, isAny, failing), answered],
  ['each eleventh request is 401', () => spoilEvery(11, isAny, refused), answered],
  ['each fifth connection is reset', () => spoilEvery(5, isAny, reset), answered],
  ['each seventh body is cut off', () => spoilEvery(7, isAny, cutOff), answered],
  ['each sixth request times out', () => spoilEvery(6, isAny, timedOut), answered],
  ['each fourth history is short', () => spoilEvery(4, isHistory, shortened), 'transport/strict-json'],
];

function listMusts({ findings }: Run): string[] {
  return [...new Set(findings.filter(({ level }) => level === 'must').map(({ rule }) => rule))];
}

for (const [title, spoil, must] of lies) {
  test(`a service of which ${title} breaks one must, whatever the seed`, async () => {
    for (const seed of [1, 2]) {
      const { run } = await service.check(spoil(), seed);
      expect(
        listMusts(run).filter((id) => !id.startsWith('quota/')),
        `seed ${seed}`,
      ).toEqual([must]);
      expect(run.verdict).toBe('nonconformant');
    }
  });
}

const findFirst = ({ findings }: Run, id: string): Finding | undefined =>
  findings.find(({ rule }) => rule === id);

/** Spoils these requests alone, counted from 1. */
function spoilOnly(places: readonly number[], spoil: Parameters<typeof spoilEvery>[2]): Spoil {
  let count = 0;
  return (_request, ask) => (places.includes(++count) ? spoil(ask()) : ask());
}

test('two failures of a run are a should with their number and times, and one is named beside the verdict', async () => {
  const { run } = await service.check(spoilOnly([4, 12], unavailable));
  expect(run.verdict).toBe('conformant');
  expect(findFirst(run, atFirst)).toMatchObject({
    level: 'should',
    sentence: expect.stringMatching(
      /^2 of \d+ proper requests were not answered at first, at 15:32:20 and 15:32:20\.$/,
    ),
  });
  const { run: lucky } = await service.check(spoilOnly([4], unavailable));
  expect([lucky.verdict, lucky.findings]).toEqual(['conformant', []]);
  expect(lucky.transient).toMatchObject([{ failure: 'status 503', count: 1, at: [expect.any(String)] }]);
});

test('one refusal of the accepted key is a should', async () => {
  const { run } = await service.check(spoilOnly([4], refused));
  expect([run.verdict, run.findings.map(({ rule }) => rule)]).toEqual(['conformant', [atFirst]]);
});

for (const outOf of [100, 20]) {
  test(`no run of eight is nonconformant of which one answer in ${outOf} is 503`, {
    tag: outOf === 20 ? [] : '@endurance',
  }, async () => {
    test.setTimeout(60_000);
    let failures = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { run } = await service.check(spoilByLot(drawLots(outOf, seed), unavailable), seed);
      failures += run.transient.reduce((sum, { count }) => sum + count, 0);
      expect([run.verdict, ...listMusts(run)], `seed ${seed}: ${run.reason}`).toEqual(['conformant']);
    }
    expect(failures).toBeGreaterThan(0);
  });
}
