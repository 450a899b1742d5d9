import { expect, test } from '@playwright/test';
import type { Run } from '../../contract/judge/verdict.ts';
import { checkApi } from '../support/check-api.ts';
import type { Double, DoubleWorld } from './double.ts';
import type { DoubleFault } from './faults.ts';

/** An API that the command judges by its document alone. */
type JudgedApi = {
  readonly name: string;
  /** Its OpenAPI file, and the path of its server below the host. */
  readonly document: string;
  readonly basePath: string;
  readonly open: (world: DoubleWorld, fault?: DoubleFault) => Promise<Double>;
  /** Healthy in all of them, and with each fault in the first. */
  readonly worlds: readonly DoubleWorld[];
  readonly faults: readonly DoubleFault[];
  /** Rules that a healthy run has to have judged. */
  readonly exercised: readonly string[];
};

/** Requests that a run may plan unless more are allowed. */
const usualBudget = 48;

/** Groups of what such an API has not: they may not count as passed. */
const foreign = /^(tokens|latest|inversion|quota|authentication)\//;

export function testJudged(api: JudgedApi): void {
  for (const world of api.worlds) {
    test(`${api.name} of ${world.opensAt} is accused of nothing`, async () => {
      const run = await check(api, world);
      expect(
        run.findings.map(({ rule, pointer, expected, actual }) => ({ rule, pointer, expected, actual })),
      ).toEqual([]);
      expect(run.verdict).toBe('conformant');
      expect(run.requests.sent).toBeLessThanOrEqual(usualBudget);
      const passed = run.rules.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
      expect(passed).toEqual(expect.arrayContaining([...api.exercised]));
      const judged = run.rules.filter(({ level, outcome }) => level !== 'observe' && outcome === 'passed');
      expect(judged.map(({ id }) => id).filter((id) => foreign.test(id))).toEqual([]);
    });
  }

  for (const fault of api.faults) {
    test(`${api.name} with ${fault.name} breaks ${fault.rule}`, async () => {
      const [world] = api.worlds;
      if (!world) throw new Error('an API is judged in one world at least');
      const run = await check(api, world, fault);
      expect(run.verdict).toBe('nonconformant');
      expect(run.findings.filter(({ level }) => level === 'must').map(({ rule }) => rule)).toContain(
        fault.rule,
      );
    });
  }
}

/** One check of one world, with what it cost beside the test's result. */
async function check(
  { document, basePath, open }: JudgedApi,
  world: DoubleWorld,
  fault?: DoubleFault,
): Promise<Run> {
  const double = await open(world, fault);
  try {
    const target = { baseUrl: `${double.url}${basePath}`, ca: double.ca, pools: double.pools, document };
    const { code, stdout, stderr, run } = await checkApi(target, test.info().outputPath());
    if (!run) throw new Error(`the check ended with ${code}: ${stdout}${stderr}`);
    test.info().annotations.push({ type: 'requests', description: String(run.requests.sent) });
    expect(code).toBe(run.verdict === 'conformant' ? 0 : 1);
    return run;
  } finally {
    double.close();
  }
}
