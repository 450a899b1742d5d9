import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Evidence } from '@candleproof/law/relations/evidence';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { gather, type MutantReach, reachAsText, readReach } from './coverage.ts';
import { Modules } from './modules.ts';
import { collect, listIds, type Test, testFiles } from './suite.ts';

type Switchboard = typeof import('./switchboard.ts');
type Law = typeof import('./catalogue.ts');
type Loaded = { readonly board: Switchboard; readonly tests: readonly Test[]; readonly law: Law };

/** Coverage of mutants from the dry run, for all workers after the first. */
const reachFile = 'reach.json';

/**
 * Runs the tests of the rules in this process, mutant by mutant. Three things make thousands of runs fast: results of
 * code without mutants are cached; rules that the mutant cannot affect are not evaluated again; and a test runs only if
 * a rule reports something new about the test's evidence.
 */
class InProcessRunner implements TestRunner {
  readonly #modules = new Modules(`${pathToFileURL(process.cwd())}/`);
  readonly #looked = new Map<string, readonly Evidence[]>();
  #reach: MutantReach = new Map();
  #loaded: Loaded | undefined;

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    fc.configureGlobal({ seed: 20_260_311, endOnFailure: true });
    const board = (await this.#modules.import('tools/bench/mutation/switchboard.ts')) as Switchboard;
    const tests = await collect(this.#modules, testFiles(this.#modules));
    this.#loaded = { board, tests, law: await this.#law() };
    if (existsSync(reachFile)) this.#reach = readReach(readFileSync(reachFile, 'utf8'));
  }

  async dryRun(): Promise<DryRunResult> {
    const { board, tests } = this.#loadAll();
    const { switches, between, live, looked } = board;
    switches.mutantCoverage ??= { static: {}, perTest: {} };
    const { mutantCoverage } = switches;
    live.ids = undefined;
    const results: TestResult[] = [];
    for (const test of tests) {
      switches.currentTestId = test.id;
      looked.clear();
      results.push(await awaitResult(test));
      this.#looked.set(test.id, [...looked] as Evidence[]);
      gather(mutantCoverage, test.id, between, this.#reach);
    }
    delete switches.currentTestId;
    writeFileSync(reachFile, reachAsText(this.#reach));
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { switches, live } = this.#loadAll().board;
    const { activeMutant, hitLimit } = options;
    Object.assign(switches, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      return await (options.mutantActivation === 'static'
        ? this.#loadedAnew(options)
        : this.#switched(options));
    } catch (error) {
      return toMutantRunResult({ status: DryRunStatus.Error, errorMessage: String(error) });
    } finally {
      Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
      live.ids = undefined;
    }
  }

  #loadAll(): Loaded {
    if (!this.#loaded) throw new Error('the runner was not initialised');
    return this.#loaded;
  }

  async #law(): Promise<Law> {
    return (await this.#modules.import('tools/bench/mutation/catalogue.ts')) as Law;
  }

  /** Activates the mutant while tests run. */
  #switched({ activeMutant, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    const { board, tests, law } = this.#loadAll();
    board.live.ids = this.#reach.get(activeMutant.id) ?? new Set();
    const wanted = tests.filter(({ id }) => !testFilter || testFilter.includes(id));
    return this.#untilFailure(wanted, this.#isConcerned(law));
  }

  /** Activates the mutant while its file and all importers are reloaded. */
  async #loadedAnew({ sandboxFileName }: MutantRunOptions): Promise<MutantRunResult> {
    const { board, tests, law } = this.#loadAll();
    const above = this.#modules.importersAndSelf(relative(process.cwd(), sandboxFileName));
    board.live.ids = listIds(this.#modules, above, [...law.catalogue.rules, ...law.catalogue.questions]);
    const changed = await this.#modules.withReloaded(above, () => this.#law());
    const isConcerned = changed.data === law.data ? this.#isConcerned(changed) : () => true;
    if (!tests.some(isConcerned)) return this.#untilFailure([], isConcerned);
    const files = testFiles(this.#modules).filter((file) => above.has(file));
    const renewed = await this.#modules.withReloaded(above, () => collect(this.#modules, files));
    return this.#untilFailure(renewed, isConcerned);
  }

  /** Skips tests for whose evidence all rules report the same as before. */
  #isConcerned(law: Law): (test: Test) => boolean {
    const ids = [...(this.#loadAll().board.live.ids ?? [])];
    const known = new Map<Evidence, boolean>();
    const isSame = (evidence: Evidence): boolean => {
      const same = known.get(evidence) ?? law.reportSame(ids, evidence);
      known.set(evidence, same);
      return same;
    };
    return ({ id }) => !this.#looked.get(id)?.length || !this.#looked.get(id)?.every(isSame);
  }

  /** Orders tests that name a rule reached by the mutant first. */
  async #untilFailure(
    tests: readonly Test[],
    isConcerned: (test: Test) => boolean,
  ): Promise<MutantRunResult> {
    const { switches, live } = this.#loadAll().board;
    const isNamed = ({ title }: Test): boolean => live.ids?.has(title.split(' ')[0] ?? '') === true;
    const results: TestResult[] = [];
    for (const test of [...tests.filter(isNamed), ...tests.filter((test) => !isNamed(test))]) {
      if (!isConcerned(test)) continue;
      const result = await awaitResult(test);
      results.push(result);
      if (result.status === TestStatus.Failed) break;
    }
    const endless = determineHitLimitReached(switches.hitCount, switches.hitLimit);
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: results });
  }
}

async function awaitResult({ id, title, file, run }: Test): Promise<TestResult> {
  const began = performance.now();
  const result = (): { id: string; name: string; fileName: string; timeSpentMs: number } => ({
    id,
    name: title,
    fileName: file,
    timeSpentMs: Math.round(performance.now() - began),
  });
  try {
    await run();
    return { ...result(), status: TestStatus.Success };
  } catch (error) {
    const failureMessage = error instanceof Error ? error.message : String(error);
    return { ...result(), status: TestStatus.Failed, failureMessage };
  }
}

/** The texts of rules, which docs/rules.md pins: their mutants show nothing about the judge. */
const prose = new Set(['statement', 'why', 'exactly', 'noFaultReason', 'restsOn', 'section', 'level']);
type Property = { readonly node?: { readonly type?: string; readonly key?: { readonly name?: string } } };

const proseIgnorer: Ignorer = {
  shouldIgnore(path) {
    const { node } = path as Property;
    const isProse = node?.type === 'ObjectProperty' && prose.has(node.key?.name ?? '');
    return isProse ? 'what a rule says of itself' : undefined;
  },
};

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner),
  declareValuePlugin(PluginKind.Ignore, 'prose', proseIgnorer),
];
