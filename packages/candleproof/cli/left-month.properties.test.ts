import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exploreTarget } from '@candleproof/check/explore/explore';
import { takeFirstLook } from '@candleproof/check/run/first-look';
import { checkTarget } from '@candleproof/check/target/check-target';
import { withClient } from '@candleproof/check/target/client';
import { requestOnce } from '@candleproof/check/target/request-once';
import { describeTarget, type Target } from '@candleproof/check/target/target';
import { tryDocument } from '@candleproof/check/target/try-document';
import { MonthSpent } from '@candleproof/client/ledger/ledger-store';
import { auditTarget, planAudit } from '@candleproof/gate/audit/audit';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { runLoad } from '@candleproof/load/running/run-load';
import { makeTrial } from '@candleproof/load/running/trial';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { LeftMonth } from './testing/left-month.ts';

type Sending = { readonly timeout: number; readonly ledger: string };

/** The work of the commands that send with a key, each with its own connections and books as in a process of its own. */
const commands: Readonly<Record<string, (target: Target, sending: Sending) => Promise<unknown>>> = {
  check: (target, sending) => checkTarget(target, { ...sending, law: catalogue, seed: 1 }),
  explore: (target, sending) =>
    exploreTarget(target, {
      ...{ ...sending, law: catalogue, budget: 60, seed: 1, known: [] },
      stop: new AbortController().signal,
    }),
  audit: (target, sending) => {
    const now = Math.floor(Date.now() / 1000);
    const range = { from: now - 8 * 86_400, to: now };
    const stop = new AbortController().signal;
    return auditTarget(target, planAudit(target, {}), { ...sending, law: catalogue, range, now, stop });
  },
  init: (target, sending) =>
    withClient(target, { ...sending, budget: 6 }, (client) =>
      takeFirstLook({ spec: target.spec, target: target.facts, client, hasKey: true, stop: undefined }),
    ),
  spec: (target, sending) => tryDocument(target, { ...sending, budget: 1 }),
  look: ({ facts, apiKey = '', ca }, sending) =>
    requestOnce(new URL(`${facts.baseUrl}/tokens`), {
      ...{ ...sending, ca },
      keys: [{ in: 'header', name: 'x-api-key', prefix: '', text: apiKey }],
    }),
  load: (target, { timeout, ledger }) =>
    runLoad({
      ...{ target, ledger, isEmbedded: false, onBill: () => undefined },
      ...{ choices: { timeout }, trial: makeTrial('smoke', target, { timeout }) },
      stop: new AbortController().signal,
    }),
};

function describe({ ready, key }: LeftMonth): Target {
  const { url, caFile, poolsV1, poolsV2 } = ready;
  return describeTarget(
    undefined,
    { baseUrl: url, poolsV1, poolsV2 } as Parameters<typeof describeTarget>[1],
    {
      ...{ apiKey: () => key, furtherKey: () => '', ca: () => readFileSync(caFile, 'utf8'), proxyEnv: {} },
    },
  );
}

/** Runs commands at once on one key, and returns how many requests with it the service has counted. */
async function countTogether(names: readonly string[], left: number, isKnown: boolean): Promise<number> {
  const folder = test.info().outputPath(`${names.join('-')}-${left}-${isKnown}`);
  const month = await LeftMonth.start(folder, left);
  try {
    if (isKnown) await month.makeKnown();
    const target = describe(month);
    const sending = { timeout: 10_000, ledger: join(folder, 'state', 'ledger.db') };
    const ends = await Promise.allSettled(names.map((name) => commands[name]?.(target, sending)));
    for (const end of ends)
      if (end.status === 'rejected' && !(end.reason instanceof MonthSpent))
        expect(String(end.reason)).toMatch(/the bill is|month is not known/);
    return await month.counted();
  } finally {
    await month.stop();
  }
}

async function hold(numRuns: number): Promise<void> {
  const name = fc.constantFrom(...Object.keys(commands));
  await fc.assert(
    fc.asyncProperty(name, name, fc.nat(60), fc.boolean(), async (one, other, left, isKnown) => {
      const most = isKnown ? left : Math.max(1, left);
      expect(await countTogether([one, other], left, isKnown)).toBeLessThanOrEqual(most);
    }),
    { numRuns, endOnFailure: true },
  );
}

test('any two commands at once send no more than what the key has left', async () => {
  test.slow();
  await hold(3);
});

test('any two commands at once send no more than what is left, of many draws', {
  tag: '@endurance',
}, async () => {
  test.setTimeout(600_000);
  await hold(process.env.CANDLEPROOF_THOROUGH ? 100 : 15);
});
