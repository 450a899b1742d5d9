import { request } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RunningService, startService } from '@candleproof/reference-service/start';
import { limit } from './definition.ts';
import { month } from './script.ts';

/** Requests a month, and those that are left of the running one. */
type ServiceQuota = { readonly limit: number; readonly remaining?: number };

/** mainnet and testnet of the simulated month by one clock, which is set by hand. */
export class OctoberServices {
  readonly mainnet: RunningService;
  readonly testnet: RunningService;
  readonly #folder: string;
  readonly #clock: { now: number };

  private constructor(
    folder: string,
    clock: { now: number },
    { mainnet, testnet }: { mainnet: RunningService; testnet: RunningService },
  ) {
    this.#folder = folder;
    this.#clock = clock;
    this.mainnet = mainnet;
    this.testnet = testnet;
  }

  static async start(
    folder: string,
    { begin = month.begin, quota = { limit } }: { begin?: number; quota?: ServiceQuota } = {},
  ): Promise<OctoberServices> {
    const clock = { now: begin };
    const start = (name: string, seed: number): Promise<RunningService> =>
      startService({
        dataDir: join(folder, name),
        seed,
        historyDays: 9,
        now: () => clock.now,
        quota,
        choices: { quotaZone: 'America/New_York' },
      });
    const [mainnet, testnet] = [await start('mainnet', 1), await start('testnet', 2)];
    return new OctoberServices(folder, clock, { mainnet, testnet });
  }

  set now(now: number) {
    this.#clock.now = now;
  }

  /** Sends requests as any holder of mainnet's key might; resolves to the requests left, as the last answer reports. */
  async useKey(times: number): Promise<number> {
    let remaining = Number.NaN;
    for (let turn = 0; turn < times; turn++) remaining = await this.#ask();
    return remaining;
  }

  /** Gives one HOUR candle of the pool another average, as an operator does who corrects a price. */
  correct(pool: { readonly generation: string; readonly id: number }, start: number): void {
    const database = this.#mainnet();
    const number = readPoolNumber(database, pool);
    const { changes } = database
      .prepare(
        'UPDATE candles SET price_sum = samples * (low + high) / 2 WHERE pool = ? AND length = 3600 AND start = ?',
      )
      .run(number, start);
    database.prepare('UPDATE pools SET revision = revision + 1 WHERE pool = ?').run(number);
    database.close();
    if (changes !== 1) throw new Error(`no candle begins at ${start}`);
  }

  /** Doubles the volume of every closed hour of the pool, or restores it. */
  doubleVolumes(
    pool: { readonly generation: string; readonly id: number },
    until: number,
    undo = false,
  ): void {
    const database = this.#mainnet();
    const number = readPoolNumber(database, pool);
    const volume = undo ? 'volume / 2' : 'volume * 2';
    database
      .prepare(`UPDATE candles SET volume = ${volume} WHERE pool = ? AND length = 3600 AND start + 3600 <= ?`)
      .run(number, until / 1000);
    database.prepare('UPDATE pools SET revision = revision + 1 WHERE pool = ?').run(number);
    database.close();
  }

  /** Revokes mainnet's key from now on, or restores it. */
  refuseKey(isRefused: boolean): void {
    const database = this.#mainnet('keys.db');
    database.prepare('UPDATE keys SET revoked = ?').run(isRefused ? this.#clock.now : null);
    database.close();
  }

  #mainnet(file = 'service.db'): DatabaseSync {
    return new DatabaseSync(join(this.#folder, 'mainnet', file), { timeout: 5000 });
  }

  async close(): Promise<void> {
    await this.mainnet.close();
    await this.testnet.close();
  }

  #ask(): Promise<number> {
    const { url, caPem, apiKey } = this.mainnet;
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/tokens`, { ca: caPem, headers: { 'x-api-key': apiKey } }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(Number(answer.headers['x-ratelimit-remaining'])));
      });
      sent.once('error', reject).end();
    });
  }
}

function readPoolNumber(
  database: DatabaseSync,
  pool: { readonly generation: string; readonly id: number },
): number {
  const row = database
    .prepare('SELECT pool AS number FROM pools WHERE generation = ? AND id = ?')
    .get(pool.generation, pool.id);
  return Number(row?.number);
}
