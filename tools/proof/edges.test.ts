import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Judged } from '@candleproof/law/judge/judge';
import { expect, test } from '@playwright/test';
import { directions } from 'candleproof/kill-matrix/stage';
import type { NetworkEdge } from './testing/edge-replies.ts';
import { firewallEdges } from './testing/firewall-edges.ts';
import { passingEdges } from './testing/passing-edges.ts';
import { MemoryStage } from './testing/recorded-checks.ts';
import { routingEdges } from './testing/routing-edges.ts';

const spec = loadSpec('openapi.yaml');
const scene = directions['one check'];

/** Everything of the table that may stand in front of a sound service. */
const edges = [...firewallEdges, ...routingEdges, ...passingEdges];

/** Services whose errors have one of two forms, each in memory and made once. */
const stages = { problem: new MemoryStage(spec), message: new MemoryStage(spec, { errorBody: 'message' }) };

function stageBehind({ isPlain }: NetworkEdge): MemoryStage {
  return isPlain ? stages.message : stages.problem;
}

/** Expects that a check through an edge breaks what the edge does, and no must. */
function expectBroken(
  { title, breaks = [], withholds }: NetworkEdge,
  { verdict, reason, findings }: Judged,
): void {
  const broken = findings.map(({ level, rule }) => (level === 'must' ? `must ${rule}` : rule));
  expect.soft([...new Set(broken)], title).toEqual(breaks);
  const isSound = verdict === 'conformant' || (withholds === true && verdict === 'inconclusive');
  expect.soft(isSound, `${title}: ${verdict}, ${reason}`).toBe(true);
}

test(`the answers of a sound service behind ${edges.length} edges break no must`, async () => {
  test.setTimeout(120_000);
  const [problem, message] = [await stages.problem.record(scene), await stages.message.record(scene)];
  for (const edge of edges) expectBroken(edge, (edge.isPlain ? message : problem).judgeBehind(edge.make()));
});

/** A check through an edge takes as long as twenty judgements: every run makes some, a pipeline and a release more. */
for (const [share, tag] of [[], '@endurance', '@thorough'].entries()) {
  const some = edges.filter((_, at) => (at % 9 === 4 ? 0 : at % 3 === 0 ? 1 : 2) === share);
  test(`${some.length} checks through edges break no must`, { tag }, async () => {
    test.setTimeout(30_000 + some.length * 15_000);
    for (const edge of some) {
      const { healthy } = await stageBehind(edge).record(scene, 1, edge.make());
      expectBroken(edge, healthy);
    }
  });
}
