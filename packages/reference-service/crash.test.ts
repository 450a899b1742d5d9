import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { FLUSH_WINDOW_MS } from './store/sqlite/usage-counter.ts';

const kills = Number(process.env.CANDLEPROOF_KILLS ?? (process.env.CANDLEPROOF_THOROUGH ? 20 : 3));
/** Observations that are kept or lost together; the first line of all is the pool's. */
const batch = 500;
/** A busy machine runs a timer late, and a kill arrives late. */
const lateness = 150;
const rows = '/v2/pools/conversionRates/1?interval=FIVEMIN&from=0&to=30000';

type Served = { url: string; apiKey: string; caPem: string };
type Row = { startTimestampSeconds: number; open: number; high: number; low: number; close: number };
type Answered = { at: number; used: number; body: string };

function run(script: string, folder: string): ChildProcess & { said(): string } {
  const file = new URL(`./testing/${script}.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, [file, folder, String(batch)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said += part;
  });
  return Object.assign(child, { said: () => said });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function ask({ url, apiKey }: Served, agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = get(url + rows, { agent, headers: { 'x-api-key': apiKey } }, async (response) => {
      const used = 10_000 - Number(response.headers['x-ratelimit-remaining']);
      const body = await text(response).catch(reject);
      if (typeof body === 'string') resolve({ at: performance.now(), used, body });
    });
    request.on('error', reject);
  });
}

/** Sends requests on four connections until the service is gone, and keeps the answers received by then. */
async function load(served: Served, answers: Answered[]): Promise<void> {
  const agent = new Agent({ ca: served.caPem, keepAlive: true, maxSockets: 4 });
  const requester = async (): Promise<void> => {
    try {
      for (;;) answers.push(await ask(served, agent));
    } catch {
      // Killed.
    }
  };
  await Promise.all(Array.from({ length: 4 }, requester));
  agent.destroy();
}

/** Rows that are not whole: the prices of a row are the numbers of its minutes. */
function tornRows(answers: readonly Answered[]): string[] {
  const bodies = new Set(answers.map(({ body }) => body));
  return [...bodies].flatMap((body) =>
    (JSON.parse(body) as Row[]).flatMap((row) => {
      const minute = row.startTimestampSeconds / 60;
      const [first, last] = [Math.max(1, minute), minute + 4];
      const isWhole = row.open === first && row.low === first && row.close === last && row.high === last;
      return isWhole ? [] : [JSON.stringify(row)];
    }),
  );
}

test(`a killed service and a killed ingestion keep what they confirmed (${kills} kills)`, {
  tag: '@endurance',
}, async () => {
  test.setTimeout(60_000 + kills * 20_000);
  for (let kill = 0; kill < kills; kill++) {
    const folder = mkdtempSync(join(tmpdir(), 'crash-'));
    const ingestion = run('endless-ingestion', folder);
    await until(() => ingestion.said() !== '');
    const service = run('served', folder);
    await until(() => service.said().endsWith('\n'));
    const answers: Answered[] = [];
    const loaded = load(JSON.parse(service.said()), answers);
    await until(() => answers.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50 + ((kill * 97) % 400)));
    const killed = performance.now();
    for (const child of [service, ingestion]) child.kill('SIGKILL');
    await Promise.all([loaded, once(service, 'close'), once(ingestion, 'close')]);
    const confirmed = Number(ingestion.said().trim().split('\n').at(-1));

    const market = new DatabaseSync(join(folder, 'service.db'));
    const samples = market.prepare('SELECT count(*) AS n, sum(volume) AS v FROM samples').get();
    const candles = market
      .prepare('SELECT sum(samples) AS n, sum(volume) AS v FROM candles GROUP BY length')
      .all();
    market.close();
    expect(confirmed).toBeGreaterThan(0);
    expect(Number(samples?.n)).toBeGreaterThanOrEqual(confirmed);
    expect((Number(samples?.n) + 1) % batch).toBe(0);
    expect(candles).toEqual([samples, samples, samples]);

    expect(tornRows(answers)).toEqual([]);
    const accounts = new DatabaseSync(join(folder, 'keys.db'));
    const kept = Number(accounts.prepare('SELECT used FROM usage').get()?.used ?? 0);
    accounts.close();
    const early = answers.filter(({ at }) => at < killed - FLUSH_WINDOW_MS - lateness);
    expect(kept).toBeGreaterThanOrEqual(Math.max(0, ...early.map(({ used }) => used)));
    expect(kept).toBeLessThanOrEqual(Math.max(...answers.map(({ used }) => used)) + 4);
    rmSync(folder, { recursive: true });
  }
});
