import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Served, serve } from '@candleproof/command/command';
import { type CountedAnswer, CountingClient } from '@candleproof/command/counted-requests';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';

const kills = process.env.CANDLEPROOF_THOROUGH ? 30 : 3;

/** Observations that are kept or lost together; the first line of all is the pool's. */
const batch = 500;
const connections = 8;

/** Longest wait in ms for answers after the server is back; a busy machine takes longer than the two seconds of this one. */
const backMs = 10_000;

/** An ingestion without end that begins again when it ends; what one life confirmed counts for all. */
class Ingestion {
  readonly #url: string;
  #confirmed = 0;
  #inThisLife = 0;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(url: string) {
    this.#url = url;
    this.#live();
  }

  get confirmed(): number {
    return this.#confirmed + this.#inThisLife;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    this.kill();
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }

  #live(): void {
    const script = new URL('../../reference-service/testing/endless-ingestion.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, this.#url, String(batch)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.trim().split('\n');
      this.#inThisLife = Number(lines.at(-1)) || this.#inThisLife;
    });
    child.once('close', async () => {
      this.#confirmed += this.#inThisLife;
      this.#inThisLife = 0;
      await pause(100);
      if (!this.#stopped) this.#live();
    });
  }
}

/** Requests without end on a few connections, and what was answered. */
class Load {
  readonly answers: CountedAnswer[] = [];
  failures = 0;
  readonly #client: CountingClient;
  readonly #running: Promise<unknown>;
  #stopped = false;

  constructor({ ready }: Served) {
    this.#client = new CountingClient(ready, connections);
    this.#running = Promise.all(Array.from({ length: connections }, () => this.#run()));
  }

  /** Waits for an answer to a request that is sent from now on. */
  async answered(): Promise<void> {
    const since = performance.now();
    await expect
      .poll(() => this.answers.some(({ at, tookMs, status }) => status === 304 && at - tookMs > since), {
        timeout: backMs,
        intervals: [20],
      })
      .toBe(true);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#client.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        this.answers.push(await this.#client.request());
      } catch {
        this.failures++;
        await pause(20);
      }
    }
  }
}

test(`processes and servers that are killed lose no confirmed observation and no answered count (${kills} kills)`, {
  tag: '@endurance',
}, async ({ postgres, cluster }) => {
  test.setTimeout(60_000 + kills * 15_000);
  const ingestion = new Ingestion(postgres.url);
  await expect.poll(() => ingestion.confirmed, { timeout: 20_000 }).toBeGreaterThan(0);
  const folder = (name: string): string => test.info().outputPath(name);
  // One folder for all: they serve one key.
  const flags = ['--database', postgres.url, '--data', folder('data')];
  const lasting = await serve(folder('lasting'), ...flags);
  const loads: Load[] = [new Load(lasting)];
  let mortal = await serve(folder('mortal'), ...flags);
  const begin = (served: Served): Load => {
    const load = new Load(served);
    loads.push(load);
    return load;
  };
  for (let kill = 0; kill < kills; kill++) {
    const load = begin(mortal);
    await load.answered();
    await pause((kill * 97) % 300);
    if (kill % 3 === 0) {
      process.kill(mortal.ready.pid, 'SIGKILL');
      await load.stop();
      mortal = await serve(folder(`mortal-${kill}`), ...flags);
    } else if (kill % 3 === 1) {
      await cluster.kill();
      await pause(300);
      await cluster.start();
      for (const running of [loads[0], load]) await running?.answered();
      await load.stop();
    } else {
      ingestion.kill();
      await load.answered();
      await load.stop();
    }
  }
  const before = ingestion.confirmed;
  await expect.poll(() => ingestion.confirmed, { timeout: 20_000 }).toBeGreaterThan(before);
  await ingestion.stop();
  for (const load of loads) await load.stop();
  for (const served of [lasting, mortal]) await served.stop();

  const [samples] = await postgres.database.query(
    'SELECT count(*) AS n, sum(volume) AS v FROM service.samples',
  );
  const candles = await postgres.database.query(
    'SELECT sum(samples) AS n, sum(volume) AS v FROM service.candles GROUP BY length',
  );
  expect(Number(samples?.n)).toBeGreaterThanOrEqual(ingestion.confirmed);
  expect((Number(samples?.n) + 1) % batch).toBe(0);
  for (const candle of candles)
    expect([String(candle.n), candle.v]).toEqual([String(samples?.n), samples?.v]);

  const all = loads.flatMap(({ answers }) => answers);
  const counts = all.filter(({ status }) => status === 304).map(({ used }) => used);
  const refused = all.length - counts.length;
  const unanswered = refused + loads.reduce((sum, { failures }) => sum + failures, 0);
  const [usage] = await postgres.database.query('SELECT max(used) AS used FROM service.usage');
  expect(Number(usage?.used)).toBeGreaterThanOrEqual(counts.length);
  // A number that was given back is given out again.
  expect(new Set(counts).size).toBeGreaterThanOrEqual(counts.length - refused);
  expect(Number(usage?.used)).toBeLessThanOrEqual(counts.length + unanswered);
  for (const countedAnswer of all) expect([304, 503]).toContain(countedAnswer.status);
});
