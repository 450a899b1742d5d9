import { loadSpec } from '@candleproof/document/spec/load-spec';
import { catalogue } from '@candleproof/law/rules/catalogue';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { FAULTS } from '@candleproof/reference-service/faults/registry';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { isFoundAsClaimed, type Witness } from '@candleproof/reports/kill-matrix/facts';
import { expect, test } from '@playwright/test';
import { listClaims, toBlindSpot } from 'candleproof/kill-matrix/kill-matrix';
import { findSeed, openStage, type Stage } from 'candleproof/kill-matrix/stage';

const spec = loadSpec('openapi.yaml');
/** Faults that show on a connection, or to a check that goes by what it sees; found-faults.test.ts judges all others too. */
const onConnections = ['F63', 'F101', 'F107', 'F124', 'F128', 'F132', 'F180'];

/** Those that every run tries: one of a body, and one of another port. */
const usual = ['F101', 'F128'];

const local = { name: 'local', baseUrl: 'https://127.0.0.1', keyless: false, soleUser: true };

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
  const target = { ...local, pools: { v1: [1], v2: [1] } };
  expect(findSeed(spec, 'interval-unknown', target)).toBe(1);
  expect(findSeed(spec, 'not-modified', target)).toBeGreaterThan(1);
});

for (const isUsual of [true, false])
  test(
    `faults of connections and of the moment are found by what they break${isUsual ? '' : ', the others too'}`,
    {
      tag: isUsual ? [] : '@endurance',
    },
    () =>
      expectFound(
        'one check',
        FAULTS.filter(({ number }) => onConnections.includes(number) && usual.includes(number) === isUsual),
      ),
  );

for (const scene of scenes) {
  const shown = FAULTS.filter((fault) => fault.shows === scene);
  test(
    `a fault that takes ${scene} is found by what it breaks`,
    {
      tag: scene === 'tiny key' ? [] : '@endurance',
    },
    () => expectFound(scene, shown.slice(0, 1)),
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
