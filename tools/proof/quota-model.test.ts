import { type Client, createClient } from '@candleproof/client/send/client';
import { headerValues } from '@candleproof/law/reading/exchange';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc, { type AsyncCommand } from 'fast-check';

/** A monthly limit that is small enough to be exceeded in a few requests. */
const limit = 2;

const months = [2, 3, 4].map((month) => Date.UTC(2026, month, 11, 15, 32));

/** The model of a key's counters, according to §8 alone. */
type Model = { used: number; month: number };

type Real = {
  readonly client: Client;
  /** Moves the service's clock forward to a month of the list. */
  readonly moveTo: (month: number) => void;
};

type Counters = { remaining: number; additional: number; limit: number; reset: number };

const path = '/tokens';

/** A request with the key: whatever its answer, the counters move by one. */
class Ask implements AsyncCommand<Model, Real> {
  readonly #path: string;

  constructor(requested: string) {
    this.#path = requested;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, { client }: Real): Promise<void> {
    model.used += 1;
    const { remaining, additional, reset, ...reported } = await readCounters(client, this.#path, 'api-key');
    expect({ ...reported, remaining, additional }).toEqual({
      limit,
      remaining: Math.max(0, limit - model.used),
      additional: Math.max(0, model.used - limit),
    });
    expect(reset).toBe(Date.UTC(2026, new Date(months[model.month] ?? 0).getUTCMonth() + 1) - 1);
  }

  toString(): string {
    return `ask ${this.#path}`;
  }
}

/** A request without the key: it is refused and costs the key nothing. */
class AskAsStranger implements AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }

  async run(_model: Model, { client }: Real): Promise<void> {
    expect(await readCounters(client, path, 'none')).toMatchObject({ remaining: 0, additional: 0 });
  }

  toString(): string {
    return 'ask without a key';
  }
}

class NextMonth implements AsyncCommand<Model, Real> {
  check({ month }: Readonly<Model>): boolean {
    return month + 1 < months.length;
  }

  async run(model: Model, { moveTo }: Real): Promise<void> {
    model.month += 1;
    model.used = 0;
    moveTo(model.month);
  }

  toString(): string {
    return 'let the month end';
  }
}

async function readCounters(
  client: Client,
  requested: string,
  credential: 'api-key' | 'none',
): Promise<Counters> {
  const { response } = await client.send({ path: requested, credential });
  const count = (name: string): number =>
    Number(headerValues(response?.headers ?? [], `x-ratelimit-${name}`)[0] ?? Number.NaN);
  return {
    limit: count('limit'),
    remaining: count('remaining'),
    additional: count('additional-total'),
    reset: count('reset'),
  };
}

const commands = fc.commands(
  [
    fc
      .constantFrom(path, '/pools/conversionRates/latest/0?interval=DAY', '/tokens/none')
      .map((time) => new Ask(time)),
    fc.constant(new AskAsStranger()),
    fc.constant(new NextMonth()),
  ],
  { maxCommands: process.env.CANDLEPROOF_THOROUGH ? 16 : 10, size: 'max' },
);

type Setting = { readonly hardCap: boolean; readonly faults: readonly string[]; readonly runs: number };

/** Runs the commands against a fresh key each time; resolves to fast-check's result. */
async function tried({ hardCap, faults, runs }: Setting) {
  let now = months[0] ?? 0;
  const service = await startBuilt({ seed: 3, historyDays: 2, now: () => now, faults });
  try {
    return await fc.check(
      fc.asyncProperty(commands, async (list) => {
        now = months[0] ?? 0;
        const client = openClient(service, service.issueKey({ monthlyLimit: limit, hardCap }));
        const moveTo = (month: number): void => {
          now = months[month] ?? now;
        };
        const setup = () => ({ model: { used: 0, month: 0 }, real: { client, moveTo } });
        await fc.asyncModelRun(setup, list).finally(() => client.close());
      }),
      { seed: 1, numRuns: runs },
    );
  } finally {
    await service.close();
  }
}

function openClient(service: RunningService, apiKey: string): Client {
  return createClient({
    baseUrl: service.url,
    apiKey,
    ca: service.caPem,
    deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 },
    version: 'proof',
    longestWaitMs: 0,
  });
}

for (const hardCap of [false, true]) {
  test(`counters of a small key ${hardCap ? 'with' : 'without'} a hard cap follow the model`, async () => {
    const { failed, error } = await awaitResult({
      hardCap,
      faults: [],
      runs: process.env.CANDLEPROOF_THOROUGH ? 100 : process.env.CI === 'true' ? 6 : 3,
    });
    expect(failed, error).toBe(false);
  });
}

test('the model finds a counter below zero with the fewest commands', async () => {
  const setting = { hardCap: false, faults: ['remaining-below-zero'], runs: 60 };
  const { failed, commands: found } = await awaitResult(setting);
  expect(failed).toBe(true);
  expect(found).toEqual(new Array(limit + 1).fill(`ask ${path}`));
});

async function awaitResult(
  setting: Setting,
): Promise<{ failed: boolean; error: string; commands: string[] }> {
  const { failed, counterexample, errorInstance } = await tried(setting);
  const [list] = counterexample ?? [];
  return {
    failed,
    error: `${list}: ${errorInstance instanceof Error ? errorInstance.message : ''}`,
    commands: [...(list ?? [])].map(String),
  };
}
