import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DrawnTarget, drawFromTarget, type TyingLaw } from '@candleproof/check/explore/drawn-laws';
import { readFurtherKey, readKey } from '@candleproof/check/target/read-key';
import { describeTarget, type Target } from '@candleproof/check/target/target';
import { chooseLedgerPlace } from '@candleproof/client/ledger/ledger-place';
import { serve } from '@candleproof/command/command';
import { test as base } from '@playwright/test';
import { runFolder } from './run-store.ts';
import { reportFindings } from './section.ts';
import { isSet } from './target-from-environment.ts';

/** A law of the document, as a property of the answers to requests that nobody planned. */
export type DrawnLaw = TyingLaw & { readonly law: string };

/** The share of the budget that all laws of a role have, and the requests that a case costs them together. */
const costs = { history: { share: 0.75, requests: 5 }, latest: { share: 0.15, requests: 4 } };

/** Requests that the embedded service answers to all laws together. */
const usualBudget = 60;

const { env } = process;

/** Holds one target to laws within what all of them may cost. */
class DrawnApi {
  readonly #drawn: DrawnTarget;
  readonly #draws: Draws;

  constructor(drawn: DrawnTarget, draws: Draws) {
    this.#drawn = drawn;
    this.#draws = draws;
  }

  /** Holds the target to a law; reports a case that breaks it. */
  async hold(law: DrawnLaw): Promise<void> {
    const { share, requests } = costs[law.role];
    const { judged, broken } = await this.#drawn.hold(law, {
      cases: Math.max(1, Math.floor((this.#draws.most * share) / requests)),
      path: env.CANDLEPROOF_CASE_PATH || undefined,
    });
    base.skip(judged === 0, 'the requests that CANDLEPROOF_EXPLORE allows are spent');
    keepSpent(this.#draws.spent + this.#drawn.sent);
    if (!broken) return;
    const { run, seed, path } = broken;
    const replay = `CANDLEPROOF_CASE_SEED=${seed} CANDLEPROOF_CASE_PATH=${path} npx playwright test tests/properties.spec.ts`;
    await reportFindings({
      ...run,
      findings: run.findings.map((finding) => ({ ...finding, replay })),
    });
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

/** `most`: requests that all tests may spend; `spent`: by earlier processes. */
type Draws = { readonly most: number; readonly spent: number };

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
        // The key's month bounds these requests, as the commands of this machine share it.
        const booking = {
          ledger: chooseLedgerPlace(target, env),
          allowOverage: isSet(env.CANDLEPROOF_ALLOW_OVERAGE),
        };
        const choices = { seed, budget: most, spent, timeout: 10_000, ...booking };
        await drawFromTarget(target, choices, (drawn) =>
          use(typeof drawn === 'string' ? drawn : new DrawnApi(drawn, { most, spent })),
        );
      });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
