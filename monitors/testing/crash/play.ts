import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import { createDraws } from '@candleproof/reference-service/market/pool-walk';
import { openResults } from '../../results/sqlite/open.ts';
import { CrashChild, Killed } from './child.ts';
import { begin, calm, firstCalm, scheduledFaults } from './definition.ts';
import type { CrashOrder } from './monitor.ts';
import type { CrashServices } from './services.ts';

const [second, minute] = [1000, 60_000];

/** One process from its start to its end; instants by the simulated clock. */
export type MonitorLife = {
  /** The first reading of the clock that it was ordered to take, and the last that it has confirmed; absent before one. */
  readonly first?: number;
  readonly confirmed?: number;
  /** The last that it was reported. */
  readonly end: number;
};

export type CrashResult = {
  readonly dataDir: string;
  readonly ledger: string;
  readonly lives: readonly MonitorLife[];
  readonly end: number;
  /** Requests with mainnet's key that were not the monitor's. */
  readonly foreign: number;
  /** The most of these that no ledger can tell: beside reservations that a kill left open, and before the first answer. */
  readonly hidden: number;
  /** Damage of the store after a kill, in SQLite's words or ours. */
  readonly damage: readonly string[];
};

export type CrashStage = {
  readonly folder: string;
  readonly services: CrashServices;
  readonly webhook: string;
  readonly kills: number;
  readonly seed: number;
};

/** Kills a monitor again and again, at random instants of its life, and lets the last one end in peace. */
export async function playKills(stage: CrashStage): Promise<CrashResult> {
  const { folder, services, kills, seed } = stage;
  const [dataDir, ledger] = [join(folder, 'monitor'), join(folder, 'ledger.db')];
  mkdirSync(dataDir);
  const chance = createDraws(seed, 1, 0);
  const lives: MonitorLife[] = [];
  const damage: string[] = [];
  let [now, foreign, hidden] = [begin, 0, 0];
  for (let kill = 0; kill < kills; kill++) {
    const [when, away] = [chance.uniform(2 * kill), chance.uniform(2 * kill + 1)];
    services.now = now;
    const child = new CrashChild(makeOrder(stage, kill, now));
    const life = await playLife({ child, services, now, isEarly: kill % 5 === 4, ms: when * when * 1400 });
    lives.push(life);
    damage.push(...(await findDamage(dataDir, life.end)));
    const mainnet = await readMainnet(ledger, services, life.end);
    hidden += mainnet?.reserved ?? 0;
    if (kill % 8 === 3) {
      const used = await services.useMainnet(3);
      foreign += used;
      if (!mainnet) hidden += used;
    }
    // Half of them are started again at once.
    now = life.end + second + Math.max(0, away - 0.5) * 80 * minute;
    now = Math.ceil(now / second) * second;
  }
  const { confirmed: end = now, ...life } = await playLastLife(stage, now);
  return { dataDir, ledger, lives: [...lives, { ...life, confirmed: end }], end, foreign, hidden, damage };
}

type Leading = {
  readonly child: CrashChild;
  readonly services: CrashServices;
  readonly now: number;
  /** Killed while it opens. */
  readonly isEarly: boolean;
  /** From its start, or since it was open. */
  readonly ms: number;
};

async function playLife({ child, services, now, isEarly, ms }: Leading): Promise<MonitorLife> {
  let life: MonitorLife = { end: now };
  let death: Promise<void> | undefined = isEarly ? sleep(ms).then(() => child.kill()) : undefined;
  try {
    let next = await child.awaitOpened();
    death ??= sleep(ms).then(() => child.kill());
    // The first reading is taken at once, whatever is due.
    for (let tick = now; ; tick = Math.max(next, tick + second)) {
      services.now = tick;
      services.switchFaults(scheduledFaults(tick));
      life = { ...life, first: life.first ?? tick, end: tick };
      next = await child.tick(tick);
      life = { ...life, confirmed: tick };
    }
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  await death;
  return life;
}

/** Hours in which nothing goes wrong once the first fault is over, and time enough for the last messages. */
async function playLastLife(stage: CrashStage, now: number): Promise<MonitorLife> {
  const { services, kills } = stage;
  services.now = now;
  const child = new CrashChild(makeOrder(stage, kills, now));
  await child.awaitOpened();
  let tick = now;
  for (const over = Math.max(now, firstCalm) + calm; tick < over; ) {
    services.now = tick;
    services.switchFaults(tick < firstCalm ? scheduledFaults(tick) : []);
    tick = Math.max(await child.tick(tick), tick + second);
  }
  services.now = tick;
  // Wait for messages on their way, and for those that a refusal has put off.
  for (let look = 0; look < 9; look++) {
    tick += 20 * second;
    services.now = tick;
    await child.tick(tick);
    await sleep(100);
  }
  await child.stop(tick);
  return { first: now, confirmed: tick, end: tick };
}

function makeOrder({ folder, services, webhook, seed }: CrashStage, life: number, now: number): CrashOrder {
  return {
    dataDir: join(folder, 'monitor'),
    ledger: join(folder, 'ledger.db'),
    webhook,
    now,
    seed: seed * 1000 + life,
    services: services.reported,
  };
}

async function readMainnet(ledger: string, { reported }: CrashServices, now: number) {
  const ledgers = await openLedgers(ledger, { readQuota: readOurQuota, now: () => now });
  const { url, apiKey } = reported.find(({ name }) => name === 'mainnet') ?? { url: '', apiKey: '' };
  const status = await ledgers.account(accountId(url, apiKey)).status(now);
  await ledgers.close();
  return status;
}

/** Lists what is wrong with a store: it has to open, be whole, and hold at most one unfinished run of each probe. */
async function findDamage(dataDir: string, now: number): Promise<string[]> {
  const store = await openResults(dataDir);
  const slots = await store.slots({ from: now - 86_400_000, to: now + 1 });
  await store.close();
  const database = new DatabaseSync(join(dataDir, 'results.db'), { readOnly: true });
  const found = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row.integrity_check));
  database.close();
  const open = slots.filter(({ state, outcome }) => state === 'run' && outcome === undefined);
  const names = open.map(({ series }) => `${series.target}/${series.probe}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...found.filter((finding) => finding !== 'ok'),
    ...twice.map((finding) => `${finding} has two open runs`),
  ];
}
