import { expect, test } from '@playwright/test';
import type { OperationRole } from '../document/roles.ts';
import type { Recording } from '../reading/exchange.ts';
import { type Evidence, gatherEvidence } from '../relations/evidence.ts';
import { spec, stage } from '../worlds/breach-case.ts';
import { sampleBreaches } from '../worlds/breach-tables.ts';
import { catalogue } from './catalogue.ts';
import { rulesReaching } from './reach.ts';
import type { Rule } from './rule.ts';

const parts: readonly (readonly OperationRole[])[] = [
  [],
  ['tokens'],
  ['latest'],
  ['history'],
  ['tokens', 'latest'],
  ['tokens', 'history'],
];

test('a rule that is not called has nothing to judge in the answers', async () => {
  const cases = await sampleBreaches();
  const recordings = cases.map((testCase) => stage(testCase).recording);
  const seen = recordings.flatMap((recording) =>
    parts.flatMap((roles) => {
      const evidence = only(recording, roles);
      const reaching = rulesReaching(catalogue, evidence);
      const others = catalogue.rules.filter((rule) => !reaching.has(rule));
      return others.filter((other) => seesAnything(other, evidence)).map(({ id }) => `${id} in ${roles}`);
    }),
  );
  expect([...new Set(seen)]).toEqual([]);
});

test('a third of the rules is not called for a latest candle alone, nor half of them for a token list', async () => {
  const [first] = await sampleBreaches();
  const { recording } = stage(first as NonNullable<typeof first>);
  const reached = (roles: readonly OperationRole[]) =>
    rulesReaching(catalogue, only(recording, roles)).size / catalogue.rules.length;
  expect(reached(['latest'])).toBeLessThan(2 / 3);
  expect(reached(['tokens'])).toBeLessThan(1 / 2);
  expect(reached(['tokens', 'latest', 'history'])).toBe(1);
});

/** Keeps the exchanges of these operations alone, and all others without one. */
function only(recording: Recording, roles: readonly OperationRole[]): Evidence {
  const { answers } = gatherEvidence(spec, recording);
  const others = new Set(
    answers.flatMap(({ requested, index }) => (requested && !roles.includes(requested.role) ? index : [])),
  );
  return gatherEvidence(spec, {
    ...recording,
    exchanges: recording.exchanges.filter((_, index) => !others.has(index)),
  });
}

function seesAnything({ check }: Rule, evidence: Evidence): boolean {
  return [...check(evidence)].some((outcome) => !('dead' in outcome));
}
