import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';

const BATCH = 500;

/** Brings in minute after minute without end, and says after each batch how many are kept. */
const ENDLESS = `
  import { writeSync } from 'node:fs';
  import { ingest } from '${new URL('./ingest.ts', import.meta.url)}';
  import { Store } from '${new URL('../store/store.ts', import.meta.url)}';
  const amounts = { volumeUsd: '1', liquidity: '9', liquidityUsd: '3' };
  async function* text() {
    yield '{"type":"pool","generation":"v2","id":1}\\n';
    for (let minute = 1; ; minute++) {
      const line = { type: 'observation', generation: 'v2', pool: 1, time: minute * 60, price: minute };
      yield JSON.stringify({ ...line, volume: String(minute), ...amounts }) + '\\n';
    }
  }
  const onProgress = ({ accepted }) => writeSync(1, accepted.observations + '\\n');
  await ingest(new Store(process.argv[1]), text(), { batchSize: ${BATCH}, onProgress });`;

/** Kills an endless ingestion some milliseconds after its first batch; how many observations it had confirmed. */
function confirmedBeforeKill(path: string, milliseconds: number): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ENDLESS, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), milliseconds);
    said += part;
  });
  return new Promise((resolve) => child.on('close', () => resolve(Number(said.trim().split('\n').at(-1)))));
}

test('a killed ingestion keeps whole batches and whole candles', async () => {
  for (const milliseconds of [0, 11, 23, 38, 61]) {
    const folder = mkdtempSync(join(tmpdir(), 'crash-'));
    const path = join(folder, 'service.db');
    const confirmed = await confirmedBeforeKill(path, milliseconds);
    const database = new DatabaseSync(path);
    const samples = database.prepare('SELECT count(*) AS n, sum(volume) AS v FROM samples').get();
    const candles = database
      .prepare('SELECT sum(samples) AS n, sum(volume) AS v FROM candles GROUP BY length')
      .all();
    database.close();
    rmSync(folder, { recursive: true });
    expect(confirmed).toBeGreaterThan(0);
    expect(Number(samples?.n)).toBeGreaterThanOrEqual(confirmed);
    expect((Number(samples?.n) + 1) % BATCH).toBe(0);
    expect(candles).toEqual([samples, samples, samples]);
  }
});
