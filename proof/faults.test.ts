import { expect, test } from '@playwright/test';
import { catalogue } from '../contract/catalogue.ts';
import { loadSpec } from '../contract/spec.ts';
import type { Fault } from '../service/faults/fault.ts';
import { FAULTS } from '../service/faults/registry.ts';
import { openStage, type Stage } from './stage.ts';

const spec = loadSpec('openapi.yaml');
const isWhole = process.env.CANDLEPROOF_FAULTS === 'all';
/** Tests that run side by side, each with a service of its own. */
const groups = 4;

const named = ({ breaks, alters = [] }: Fault): readonly string[] => [...breaks, ...alters];

/** Known to need a draw of the seed, or evidence, that this run does not bring; the kill matrix shows them as they are. */
const notInOneRun = new Set(['F33', 'F100', 'F103b']);

const shown = FAULTS.filter((each) => each.shows === 'one check' && !notInOneRun.has(each.number));
const chosen = isWhole
  ? shown
  : [...new Map(shown.toReversed().map((each) => [named(each)[0], each])).values()];

test('every fault names rules and questions of the catalogue', () => {
  const rules = new Set(catalogue.rules.map((each) => each.id));
  const questions = new Set(catalogue.questions.map((each) => each.id));
  for (const { id, breaks, alters = [] } of FAULTS) {
    expect(
      breaks.filter((each) => !rules.has(each)),
      id,
    ).toEqual([]);
    expect(
      alters.filter((each) => !questions.has(each)),
      id,
    ).toEqual([]);
  }
});

test('faults that no rule can tell are few and known', () => {
  const unseen = FAULTS.filter((each) => named(each).length === 0 && each.shows !== 'many samples');
  expect(unseen.map((each) => each.number)).toEqual(['F33']);
});

for (let group = 0; group < groups; group++) {
  const own = chosen.filter((_, index) => index % groups === group);
  test(`${own.length} faults are found by what they break, group ${group + 1}`, async () => {
    test.setTimeout(60_000 + own.length * 10_000);
    const stage = await openStage('one check', spec);
    const missed: string[] = [];
    for (const fault of own) missed.push(...(await missing(stage, fault)));
    const healthy = await stage.play([]);
    await stage.close();
    expect(missed).toEqual([]);
    expect(healthy.witnesses).toEqual([]);
  });
}

async function missing(stage: Stage, fault: Fault): Promise<string[]> {
  const { witnesses } = await stage.play([fault.id]);
  const ids = witnesses.map((each) => each.id);
  if (ids.some((each) => named(fault).includes(each))) return [];
  return [
    `${fault.number} ${fault.id}: expected one of ${named(fault)}, found by ${ids.join(', ') || 'nothing'}`,
  ];
}
