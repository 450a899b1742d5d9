import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BatchRequest, batches, type RequestBatch } from '@candleproof/check/explore/batch';
import { listRequests } from '@candleproof/check/explore/batch-requests';
import { Requester } from '@candleproof/check/explore/requester';
import { listLifeRequests, readTimes, type Times } from '@candleproof/check/explore/times';
import { toRun } from '@candleproof/check/run/run';
import { retryPause, withClient } from '@candleproof/check/target/client';
import { readFurtherKey, readKey } from '@candleproof/check/target/read-key';
import { describeTarget, type Target } from '@candleproof/check/target/target';
import { chooseLedgerPlace } from '@candleproof/client/ledger/ledger-place';
import { serve } from '@candleproof/command/command';
import { version } from '@candleproof/files/package-files';
import { judge } from '@candleproof/law/judge/judge';
import type { Run } from '@candleproof/law/judge/verdict';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { test as base } from '@playwright/test';
import fc, { type Arbitrary } from 'fast-check';
import { runFolder } from './run-store.ts';
import { reportFindings } from './section.ts';
import { isSet } from './target-from-environment.ts';

/** A law of the document, as a property of the answers to requests that nobody planned. */
export type DrawnLaw = {
  readonly law: string;
  /** The rules by which the answers are judged. */
  readonly rules: readonly string[];
  readonly role: 'history' | 'latest';
  /** The requests about the stretch of time that is drawn; `longer` is the next interval, if there is one. */
  readonly asks: (interval: string, longer: string | undefined) => readonly Partial<BatchRequest>[];
};

/** The share of the budget that all laws of a role have, and the requests that a case costs them together. */
const costs = { history: { share: 0.75, requests: 5 }, latest: { share: 0.15, requests: 4 } };

/** Requests that the embedded service answers to all laws together. */
const usualBudget = 60;

const { env } = process;

/** Draws requests of one target; equal requests are sent once, whichever law asks. */
class DrawnApi {
  readonly #target: Target;
  readonly #requester: Requester;
  readonly #times: Times;
  readonly #draws: Draws;

  constructor(target: Target, requester: Requester, times: Times, draws: Draws) {
    this.#target = target;
    this.#requester = requester;
    this.#times = times;
    this.#draws = draws;
  }

  /** Holds the target to a law: a case that breaks it is made as small as what is left to spend allows, and reported. */
  async hold(law: DrawnLaw): Promise<void> {
    let judged = 0;
    let broken: Run | undefined;
    const property = fc.asyncProperty(this.#draw(law), async (batch) => {
      const run = await this.#ask(batch, law);
      judged += Number(run !== undefined);
      const isKept = run === undefined || run.findings.length === 0;
      // The last that fails is the smallest.
      if (!isKept) broken = run;
      return isKept;
    });
    // All laws draw alike, so that they share their answers.
    const details = await fc.check(property, {
      seed: this.#draws.seed,
      numRuns: Math.max(1, Math.floor((this.#draws.most * costs[law.role].share) / costs[law.role].requests)),
      ...(env.CANDLEPROOF_CASE_PATH && { path: env.CANDLEPROOF_CASE_PATH, numRuns: 1 }),
    });
    base.skip(judged === 0, 'the requests that CANDLEPROOF_EXPLORE allows are spent');
    keepSpent(this.#draws.spent + this.#requester.sent);
    if (!broken) return;
    const run: Run = broken;
    const replay = `CANDLEPROOF_CASE_SEED=${details.seed} CANDLEPROOF_CASE_PATH=${details.counterexamplePath} npx playwright test tests/properties.spec.ts`;
    await reportFindings({
      ...run,
      findings: run.findings.map((finding) => ({ ...finding, replay })),
    });
  }

  #draw({ role, asks }: DrawnLaw): Arbitrary<RequestBatch> {
    const { spec, facts } = this.#target;
    const names = spec.intervals.map(({ name }) => name);
    return batches(spec, facts, this.#times)
      .filter((batch) => batch.role === role)
      .map((batch) => {
        const { interval } = batch.frame;
        const wanted = asks(interval, names[names.indexOf(interval) + 1]);
        return {
          ...batch,
          refused: undefined,
          again: 0,
          asks: wanted.map((ask) => ({ ...plainly, ...ask })),
        };
      });
  }

  /** Judges a batch by a law; undefined if it costs more than is left. */
  async #ask(batch: RequestBatch, { rules }: DrawnLaw): Promise<Run | undefined> {
    const { spec, facts } = this.#target;
    const drawn = listRequests({ spec, target: facts, times: this.#times }, batch);
    if (this.#requester.countUnsent(drawn) > this.#requester.left) return undefined;
    const recording = await this.#requester.ask(drawn);
    const law = { rules: catalogue.rules.filter(({ id }) => rules.includes(id)), questions: [] };
    const judged = judge(spec, recording, { catalogue: law, replay: () => '', isDrawn: true });
    const at = new Date().toISOString();
    const requests = { sent: drawn.length, budget: this.#draws.most };
    return toRun(
      judged,
      recording,
      { spec, version, catalogue: law },
      { startedAt: at, finishedAt: at, requests },
    );
  }
}

const spentFile = join(runFolder, 'drawn-requests.json');

/** Keeps what the tests have spent: after one that fails, Playwright goes on in another process. */
function keepSpent(spent: number): void {
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(spentFile, JSON.stringify({ runner: process.ppid, spent }));
}

/** Returns what earlier processes of this runner have spent. */
function readSpent(): number {
  if (!existsSync(spentFile)) return 0;
  const { runner, spent } = JSON.parse(readFileSync(spentFile, 'utf8'));
  return runner === process.ppid ? spent : 0;
}

const plainly: BatchRequest = {
  portion: 'whole',
  interval: undefined,
  inverted: undefined,
  miss: undefined,
  manner: undefined,
};

/** `most`: requests that all tests may spend; `spent`: by earlier processes. */
type Draws = { readonly seed: number; readonly most: number; readonly spent: number };

/** Runs work on the target that the environment describes, or on a service that is started for it. */
async function withTarget(
  folder: string,
  work: (target: Target, isOurs: boolean) => Promise<void>,
): Promise<void> {
  const { CANDLEPROOF_BASE_URL: baseUrl } = env;
  const served = baseUrl === undefined ? await serve(folder, '--seed', '1') : undefined;
  const readIds = (text: string | undefined): number[] => text?.split(',').map(Number) ?? [];
  const description = served
    ? { ...served.ready, baseUrl: served.ready.url }
    : {
        baseUrl,
        apiKeyFile: env.CANDLEPROOF_API_KEY_FILE,
        caFile: env.CANDLEPROOF_CA_FILE,
        poolsV1: readIds(env.CANDLEPROOF_POOLS_V1),
        poolsV2: readIds(env.CANDLEPROOF_POOLS_V2),
        ...(env.CANDLEPROOF_GAPS === 'idle' && { gaps: 'idle' as const }),
        keyless: env.CANDLEPROOF_KEYLESS !== undefined,
      };
  const target = describeTarget('target', description, {
    apiKey: () => readKey(description, env),
    furtherKey: (scheme) => readFurtherKey(scheme, env),
    ca: () => (description.caFile === undefined ? undefined : readFileSync(description.caFile, 'utf8')),
    proxyEnv: env,
  });
  try {
    await work(target, served !== undefined);
  } finally {
    await served?.stop();
  }
}

/** Binds what is drawn to the key's month, as the commands of this machine share it. */
function booking(target: Target, budget: number): Parameters<typeof withClient>[1] {
  const allowOverage = isSet(env.CANDLEPROOF_ALLOW_OVERAGE);
  return { timeout: 10_000, budget, ledger: chooseLedgerPlace(target, env), allowOverage };
}

/** Tests with an `api`, which is a reason instead where nothing can be drawn. */
export const test = base.extend<object, { api: DrawnApi | string }>({
  api: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const isNamed = env.CANDLEPROOF_TARGET !== undefined && env.CANDLEPROOF_TARGET !== 'local';
      if (isNamed)
        return use('properties are for CANDLEPROOF_BASE_URL: `candleproof explore` draws for a named target');
      if (env.CANDLEPROOF_BASE_URL && !env.CANDLEPROOF_EXPLORE)
        return use('CANDLEPROOF_EXPLORE does not say how many requests this may cost');
      const folder = mkdtempSync(join(tmpdir(), 'candleproof-drawn-'));
      await withTarget(folder, async (target, isOurs) => {
        const most = Number(env.CANDLEPROOF_EXPLORE || usualBudget);
        const spent = readSpent();
        const seed = Number(env.CANDLEPROOF_CASE_SEED ?? (isOurs ? 1 : randomInt(2 ** 31)));
        await withClient(target, booking(target, most - spent), async (client) => {
          const { spec, facts } = target;
          const requester = new Requester({
            ...{
              spec,
              target: facts,
              client,
              seed,
              budget: most - spent,
              hasKey: target.apiKey !== undefined,
            },
            ...{ pauseMs: retryPause(target), stop: new AbortController().signal },
          });
          const trouble = await requester.begin();
          if (trouble !== undefined) return use(trouble);
          const life = await requester.ask(listLifeRequests(spec, facts, requester.now));
          const times = readTimes(spec, life, requester.now);
          await use(new DrawnApi(target, requester, times, { seed, most, spent }));
        });
      });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
