import { expect, test } from '@playwright/test';
import type { Run } from '../../contract/judge/verdict.ts';
import { checkApi } from '../support/check-api.ts';
import type { Double, DoubleWorld } from './double.ts';
import type { DoubleFault } from './faults.ts';

/** An API that is judged by its document alone. */
type JudgedApi = {
  readonly name: string;
  /** Its OpenAPI file, and the path of its server below the host. */
  readonly document: string;
  readonly basePath: string;
  readonly open: (world: DoubleWorld, fault?: DoubleFault) => Promise<Double>;
  /** Worlds; healthy runs use all, faults the first. */
  readonly worlds: readonly DoubleWorld[];
  readonly faults: readonly DoubleFault[];
  /** Rules that a healthy run must have judged. */
  readonly exercised: readonly string[];
};

/** Default budget of a run. */
const usualBudget = 48;

/** Groups of rules that do not apply to such an API and must not count as passed. */
const foreign = /^(tokens|latest|inversion|quota|authentication)\//;

/** Declares the tests of an API. */
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

/** Runs one check of a world, and annotates the test with its number of requests. */
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
