import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { choose } from '@candleproof/law/rules/catalogue';
import type { CheckOutcome } from '@candleproof/law/rules/rule';
import { expect, test } from '@playwright/test';
import { rateIndicator, type SlotRecord, unconfirmed } from '../results/probe-record.ts';
import { useFolder } from '../results/testing/stores.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import {
  type Script,
  type ScriptedTarget,
  scriptedTarget,
  type TargetReply,
  tokenList,
} from '../testing/scripted-target.ts';
import { type MovedClock, movedClock } from '../testing/watched-service.ts';
import { hour, makeDefinition, noon, shares, tokensProbe, Watching } from '../testing/watching.ts';
import { openSelfCheck, type SelfCheck } from './self-check.ts';

const probe = tokensProbe('mainnet', { rhythm: { every: hour } });
const overloaded = { status: 503 } as const;
const unreached = { failure: 'refused', phase: 'connect' } as const;

type Looked = { readonly slot: SlotRecord | undefined; readonly target: ScriptedTarget };

type Looking = Pick<Script, 'answer'> & {
  readonly clock?: MovedClock;
  readonly selfCheck?: SelfCheck;
  readonly law?: ReturnType<typeof choose>['chosen'];
};

/** One slot of a target without a key. */
async function look({ answer, clock = movedClock(noon), ...more }: Looking): Promise<Looked> {
  const target = scriptedTarget({ name: 'mainnet', clock, answer });
  const watching = await Watching.open({
    definition: makeDefinition([probe]),
    targets: [target],
    clock,
    ...more,
  });
  return { slot: await watching.slot(), target };
}

test('a blip is looked at once more and is no failure', async () => {
  const { slot, target } = await look({ answer: (count) => (count === 1 ? overloaded : tokenList) });
  expect(slot).toMatchObject({ outcome: 'ok', rawOutcome: 'failed' });
  expect(slot).not.toHaveProperty('failure', expect.anything());
  expect(slot?.samples.map(({ status, confirming }) => [status, confirming])).toEqual([
    [503, false],
    [200, true],
  ]);
  expect(target.sent.map(({ freshConnection = false }) => freshConnection)).toEqual([false, true]);
});

test('a failure that lasts is looked at twice and no more', async () => {
  const { slot, target } = await look({ answer: () => overloaded });
  const failure = { phase: 'status', class: '503' };
  expect(slot).toMatchObject({ outcome: 'failed', rawOutcome: 'failed', failure });
  expect(target.sent).toHaveLength(2);
});

test('a wrong answer counts even if the second one is right', async () => {
  const law = choose(['transport/strict-json']).chosen;
  const wrong = { status: 200, body: '[' };
  const { slot } = await look({ law, answer: (count) => (count === 1 ? wrong : tokenList) });
  const failure = { phase: 'contract', class: 'transport/strict-json' };
  expect(slot).toMatchObject({ outcome: 'failed', failure, rules: ['transport/strict-json'] });
});

for (const [name, second, expected] of [
  ['is not answered', unreached, { phase: 'connect', class: 'refused' }],
  ['is refused by an overloaded service', overloaded, { phase: 'status', class: '503' }],
] as const) {
  test(`a wrong answer stays an answer though the second look ${name}`, async () => {
    const law = choose(['transport/strict-json']).chosen;
    const wrong = { status: 200, body: '[' };
    const { slot } = await look({ law, answer: (count) => (count === 1 ? wrong : second) });
    const failure = { phase: 'contract', class: 'transport/strict-json' };
    expect(slot).toMatchObject({ outcome: 'failed', failure, rawFailure: failure, secondFailure: expected });
    expect(slot && rateIndicator(slot, 'availability')).toBe('good');
    expect(slot && rateIndicator(slot, 'correctness')).toBe('bad');
  });
}

test('the first attempt is reported as it was, regardless of the second', async () => {
  const law = choose(['transport/strict-json']).chosen;
  const wrong = { status: 200, body: '[' };
  const { slot } = await look({ law, answer: (count) => (count === 1 ? overloaded : wrong) });
  expect(slot).toMatchObject({
    outcome: 'failed',
    failure: { phase: 'contract', class: 'transport/strict-json' },
    rawFailure: { phase: 'status', class: '503' },
  });
  expect(slot && rateIndicator(slot, 'availability')).toBe('good');
  expect(slot && rateIndicator(unconfirmed(slot), 'availability')).toBe('bad');
  expect(slot && rateIndicator(unconfirmed(slot), 'correctness')).toBeUndefined();
});

test('a degraded slot keeps its causes: the rule at should, and the missed objective', async () => {
  const law = choose(['transport/length-agrees']).chosen;
  const broken = law.rules.map((rule) => ({
    ...rule,
    *check({ answers: [answer] }: Evidence): Generator<CheckOutcome> {
      if (answer) yield { breach: { answer, pointer: 'header:content-length', expected: '2', actual: '3' } };
    },
  }));
  const watching = await Watching.open({
    definition: makeDefinition([probe], {
      objectives: [{ indicator: 'latency', objective: 0.9, under: 0.5 }],
    }),
    targets: [scriptedTarget({ name: 'mainnet', clock: movedClock(noon) })],
    law: { ...law, rules: broken },
  });
  const degradedBy = ['transport/length-agrees', 'latency'];
  expect(await watching.slot()).toMatchObject({ outcome: 'degraded', degradedBy, rules: [] });
});

/** The second hour fails; resolves to its slot and to what the key has used. */
function confirmedWithKey(used: number): Promise<{ slot: SlotRecord | undefined; used: number }> {
  return useFolder(async (folder) => {
    const clock = movedClock(noon);
    const scriptedKey = await ScriptedKey.open(folder, clock, shares);
    const month = { limit: 10_000, used, reset: Date.UTC(2026, 4, 1) - 1 };
    const answer = (count: number): TargetReply => (count === 2 ? overloaded : tokenList);
    const target = scriptedTarget({ name: 'mainnet', clock, month, key: scriptedKey.key, answer });
    const keys = (now: number) => scriptedKey.facts(now, ['mainnet']);
    const watching = await Watching.open({
      definition: makeDefinition([probe]),
      targets: [target],
      clock,
      keys,
    });
    await watching.slot();
    const slot = await watching.slot();
    scriptedKey.close();
    return { slot, used: month.used - used };
  });
}

test('a confirmation costs one request of its share', async () => {
  const { slot, used } = await confirmedWithKey(1000);
  expect(slot).toMatchObject({ outcome: 'ok', rawOutcome: 'failed' });
  expect(used).toBe(3);
});

test('a failure stays unconfirmed when the share for confirmations is spent', async () => {
  // The monitors' share would still pay for it.
  const { slot, used } = await confirmedWithKey(6000);
  expect(slot).toMatchObject({ outcome: 'failed', failure: { class: '503' } });
  expect(slot).not.toHaveProperty('rawOutcome', expect.anything());
  expect(used).toBe(2);
});

async function withSelfCheck(
  options: Parameters<typeof openSelfCheck>[0],
  answer: NonNullable<Script['answer']>,
  clock?: MovedClock,
): Promise<SlotRecord | undefined> {
  const selfCheck = openSelfCheck(options);
  const { slot } = await look({ answer, selfCheck, ...(clock && { clock }) });
  return slot;
}

function expectUnknown(slot: SlotRecord | undefined, reason: RegExp): void {
  expect(slot).toMatchObject({ state: 'run', outcome: 'unknown', reason: expect.stringMatching(reason) });
  expect(slot).not.toHaveProperty('failure', expect.anything());
}

/** Answers after our event loop stood still for 400 ms. */
function afterStall(reply: TargetReply): () => TargetReply {
  return () => {
    const until = performance.now() + 400;
    while (performance.now() < until);
    return reply;
  };
}

test('a monitor that stood still for most of the time of a failure blames itself', async () => {
  const late = { failure: 'timeout', phase: 'wait', took: 600 } as const;
  expectUnknown(
    await withSelfCheck({ clock: movedClock(noon) }, afterStall(late)),
    /the monitor itself stood still for [1-9]\d\d+ ms/,
  );
});

for (const [what, reply] of [
  ['a timeout of ten seconds', { failure: 'timeout', phase: 'wait', took: 10_000 }],
  ['a refused connection', unreached],
  ['a status', overloaded],
] as const)
  test(`standing still for a moment does not excuse ${what}`, async () => {
    const slot = await withSelfCheck({ clock: movedClock(noon) }, afterStall(reply));
    expect(slot).toMatchObject({ outcome: 'failed' });
    expect(slot).not.toHaveProperty('reason', expect.anything());
  });

test('an answer is late for its objective by more than the monitor stood still, or not', async () => {
  const clock = movedClock(noon);
  const outcomeAfter = async (took: number): Promise<SlotRecord['outcome']> => {
    const target = scriptedTarget({ name: 'mainnet', clock, answer: afterStall({ ...tokenList, took }) });
    const objectives = [{ indicator: 'latency', objective: 0.9, under: 2000 }] as const;
    const definition = { ...makeDefinition([probe]), objectives };
    const selfCheck = openSelfCheck({ clock });
    const watching = await Watching.open({ definition, targets: [target], clock, selfCheck });
    return (await watching.slot())?.outcome;
  };
  expect([await outcomeAfter(3000), await outcomeAfter(2100)]).toEqual(['degraded', 'unknown']);
});

test('a clock that was set during a run makes its result unknown', async () => {
  const clock: MovedClock = { ...movedClock(noon), steady: () => 0 };
  const set = (): TargetReply => {
    clock.set(clock.now() - 5000);
    return overloaded;
  };
  expectUnknown(await withSelfCheck({ clock }, set, clock), /clock was set by -\d+ ms/);
});

test('a target is blamed for not being reached only where the control address is', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { clock: movedClock(noon), control };
  const blamed = await withSelfCheck(options, () => unreached);
  expect(blamed).toMatchObject({ outcome: 'failed', failure: { phase: 'connect', class: 'refused' } });
  server.close();
  await once(server, 'close');
  expectUnknown(
    await withSelfCheck(options, () => unreached),
    /reaches 127\.0\.0\.1:\d+ as little as the target/,
  );
  // An answer came, so the network is well.
  expect(await withSelfCheck(options, () => overloaded)).toMatchObject({ outcome: 'failed' });
});

test('a history without a candle is neither ok nor correct: nothing of it was judged', async () => {
  const history = { ...probe, operation: 'listV2PoolCandles', role: 'history', pools: [1] } as const;
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock, answer: () => ({ status: 200, body: '[]' }) });
  const watching = await Watching.open({
    definition: makeDefinition([{ ...history, interval: 'HOUR' }]),
    targets: [target],
    clock,
  });
  const slot = await watching.slot();
  expect(slot).toMatchObject({
    outcome: 'unknown',
    reason: 'nothing to judge: /v2/pools/conversionRates/1 was answered without a candle',
  });
  expect(slot && rateIndicator(slot, 'correctness')).toBeUndefined();
  expect(slot && rateIndicator(slot, 'availability')).toBeUndefined();
});
