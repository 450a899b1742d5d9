import { expect, test } from '@playwright/test';
import { loadSpec } from '../contract/document/load-spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import { isFoundAsClaimed, type Witness } from '../results/kill-matrix.ts';
import type { Fault } from '../service/faults/fault.ts';
import { FAULTS } from '../service/faults/registry.ts';
import { startBuilt } from '../service/testing/built-market.ts';
import { listClaims, toBlindSpot } from './kill-matrix.ts';
import { findSeed, openStage, type Stage } from './stage.ts';

const spec = loadSpec('openapi.yaml');
const isWhole = process.env.CANDLEPROOF_FAULTS === 'all';

/** Concurrent tests, each with a separate service. */
const groups = 2;

/** The faults that one check shows: one for every rule, or all on request. */
const shown = FAULTS.filter((fault) => fault.shows === 'one check');
const firstNamed = ({ breaks, alters = [] }: Fault): string | undefined => [...breaks, ...alters][0];
const chosen = isWhole
  ? shown
  : [...new Map(shown.toReversed().map((fault) => [fault.drawn ?? firstNamed(fault), fault])).values()];

const usual = { name: 'local', baseUrl: 'https://127.0.0.1', keyless: false, soleUser: true };

/** The few faults that need more than one check. */
const scenes = ['two checks', 'tiny key', 'moved clock', 'second key'] as const;

test('every fault names rules and questions of the catalogue', () => {
  const rules = new Set(catalogue.rules.map((rule) => rule.id));
  const questions = new Set(catalogue.questions.map((question) => question.id));
  for (const { id, breaks, alters = [] } of FAULTS) {
    expect(
      breaks.filter((rule) => !rules.has(rule)),
      id,
    ).toEqual([]);
    expect(
      alters.filter((question) => !questions.has(question)),
      id,
    ).toEqual([]);
  }
});

test('only faults that need many samples break no rule', () => {
  const unseen = FAULTS.filter((fault) => listClaims(fault).length === 0);
  expect(unseen.map(({ shows }) => shows)).toEqual(unseen.map(() => 'many samples'));
  for (const fault of unseen) expect(toBlindSpot(fault).reason, fault.id).toMatch(/^[A-Z].+\.$/);
});

test('a faulty request is sent by a check of some seed', () => {
  const target = { ...usual, pools: { v1: [1], v2: [1] } };
  expect(findSeed(spec, 'interval-unknown', target)).toBe(1);
  expect(findSeed(spec, 'not-modified', target)).toBeGreaterThan(1);
});

const firstOfClass = new Map(chosen.toReversed().map((fault) => [fault.class, fault]));
const [usualOnes, further] = [true, false].map((isFirst) =>
  chosen.filter((fault) => (firstOfClass.get(fault.class) === fault) === isFirst),
);

for (let group = 0; group < groups; group++) {
  const [chosen = [], others = []] = [usualOnes, further].map((all) =>
    all?.filter((_, index) => index % groups === group),
  );
  const tag = group === 0 ? [] : '@endurance';
  test(
    `${chosen.length} faults of different classes are found by what they break, group ${group + 1}`,
    { tag },
    () => expectFound('one check', chosen),
  );
  test(
    `${others.length} further faults are found by what they break, group ${group + 1}`,
    isWhole ? {} : { tag: '@thorough' },
    () => expectFound('one check', others),
  );
}

for (const scene of scenes) {
  const shown = FAULTS.filter((fault) => fault.shows === scene);
  test(`a fault that takes ${scene} is found by what it breaks`, () => expectFound(scene, shown.slice(0, 1)));

  test(
    `${shown.length - 1} more faults that take ${scene} are found by what they break`,
    {
      tag: '@endurance',
    },
    () => expectFound(scene, shown.slice(1)),
  );
}

async function expectFound(scene: Parameters<typeof openStage>[0], faults: readonly Fault[]): Promise<void> {
  test.setTimeout(60_000 + faults.length * 10_000);
  const stage = await openStage(scene, spec, startBuilt);
  const missed: string[] = [];
  for (const fault of faults) missed.push(...(await missing(stage, fault)));
  const healthy = await stage.play([]);
  await stage.close();
  expect(missed).toEqual([]);
  expect(healthy.witnesses).toEqual([]);
}

async function missing(stage: Stage, fault: Fault): Promise<string[]> {
  const { witnesses: foundBy } = await stage.play([fault.id], { seed: stage.findSeed(fault.drawn) });
  const breaks = listClaims(fault);
  if (isFoundAsClaimed({ breaks, foundBy })) return [];
  const reported = (all: readonly Witness[]): string =>
    all.map(({ id, level }) => `${id} (${level})`).join(', ');
  return [
    `${fault.number} ${fault.id}: expected ${reported(breaks)}, found by ${reported(foundBy) || 'nothing'}`,
  ];
}
