/**
 * Measures the store in PostgreSQL relative to SQLite: counted requests per second, ingestion, answers from a small and a
 * large market, bytes per row, dropping a month, and requests over HTTPS. Starts a server with fsync.
 * `node tools/bench/postgres.ts [observations]`, 1,000,000 by default.
 */

import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { TestCluster } from '@candleproof/postgres/testing/cluster';
import { findPostgres } from '@candleproof/postgres/testing/programs';
import { ingest } from '@candleproof/reference-service/ingest/ingest';
import { openPostgresStore } from '@candleproof/reference-service/store/postgres/postgres-store';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';
import type { Store } from '@candleproof/reference-service/store/store';
import { answerFrom } from '@candleproof/reference-service/testing/rig';
import { FIRST, marketLines, POOLS } from './postgres/market.ts';
import { requestsServed } from './postgres/served.ts';
import type { Taken } from './postgres/taker.ts';
import { isBrief, keepRatio } from './ratios.ts';

const [small, large] = [100_000, Number(process.argv[2] ?? 1_000_000)];
const takingSeconds = 4;
const answers = 2000;

/** Number of minutes of which answers are requested in both markets, so that caches are equally full. */
const newestMinutes = 5000;

function line(what: string, ...figures: string[]): void {
  process.stdout.write(`${what.padEnd(44)} ${figures.join('  ')}\n`);
}

async function takes(what: string, place: string, processes: number, keys: number): Promise<void> {
  const script = new URL('./postgres/taker.ts', import.meta.url);
  const children = Array.from({ length: processes }, () =>
    fork(script, [place, String(keys), String(takingSeconds), '64']),
  );
  const taken: Taken[] = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
  const sum = taken.reduce((total, run) => total + run.takes, 0);
  const p99 = Math.max(...taken.map((run) => run.p99));
  line(
    `${what}, ${keys} keys, ${processes} processes`,
    `${Math.round(sum / takingSeconds)} takes a second`,
    `p99 ${p99.toFixed(2)} ms`,
  );
}

/** Measures complete requests, from 64 connections with one key. */
async function serves(what: string, ...flags: string[]): Promise<void> {
  const { requests, aSecond, p99 } = await requestsServed(...flags);
  line(`${what}, ${requests} requests`, `${Math.round(aSecond)} a second`, `p99 ${p99.toFixed(1)} ms`);
}

/** Measures milliseconds per answer in sequence, each as of another minute so that none is cached. */
async function answering(store: Store, observations: number): Promise<Record<'latest' | 'history', number>> {
  const minutes = Math.floor(observations / POOLS);
  let now = 0;
  const answer = await answerFrom(store, () => now);
  const apiKey = await store.keys.issue({ monthlyLimit: 1e9, hardCap: false });
  const mean = async (target: (second: number) => string): Promise<number> => {
    const began = performance.now();
    for (let n = 0; n < answers; n++) {
      const second = FIRST + (minutes - 1 - ((n * 7919) % newestMinutes)) * 60;
      now = second * 1000;
      const request = {
        method: 'GET',
        target: target(second),
        apiKey,
        ifNoneMatch: undefined,
        client: '',
        now,
      };
      const { status } = await answer(request);
      if (status !== 200) throw new Error(`${request.target} is answered with ${status}`);
    }
    return (performance.now() - began) / answers;
  };
  return {
    latest: await mean(() => '/pools/conversionRates/latest/2?interval=DAY'),
    history: await mean(
      (second) => `/v2/pools/conversionRates/1?interval=HOUR&from=${second - 259_200}&to=${second}`,
    ),
  };
}

async function market(
  what: string,
  store: Store,
  size: number,
  bytes: () => Promise<number>,
  serverCpu = async (): Promise<number> => 0,
): Promise<number> {
  const [began, cpu, server] = [performance.now(), process.cpuUsage(), await serverCpu()];
  const { accepted } = await ingest(store, marketLines(size));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const ours = `${((user + system) / 1e6).toFixed(1)} s of CPU`;
  line(`${what}, ingestion`, ours, `${(await serverCpu()) - server} s of the server's`);
  if (accepted.observations !== size) throw new Error(`${accepted.observations} of ${size} were taken in`);
  const rate = `${Math.round(size / seconds)} taken in a second`;
  const { latest, history } = await answering(store, size);
  line(
    `${what}, ${size} observations`,
    rate,
    `latest ${latest.toFixed(3)} ms`,
    `72 hours ${history.toFixed(3)} ms`,
    `${((await bytes()) / size).toFixed(0)} bytes an observation with its candles`,
  );
  return latest;
}

async function onSqlite(size: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const store = openStore(folder);
  const bytes = async (): Promise<number> =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  await market('SQLite', store, size, bytes);
  store.close();
  rmSync(folder, { recursive: true });
}

async function onPostgres(url: string, size: number): Promise<void> {
  const address = new PostgresAddress(url);
  const [store, database] = [await openPostgresStore(address), await PostgresDatabase.open(address)];
  const bytes = async (): Promise<number> => {
    const [row] = await database.query(
      `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
       WHERE relnamespace = 'service'::regnamespace AND relkind = 'r' AND relname ~ '^(samples|candles)'`,
    );
    return Number(row?.bytes);
  };
  const latest = await market('PostgreSQL', store, size, bytes, () => cpuOfBackends(database));
  const floor = await oneSelect(database);
  keepRatio('PostgreSQL, the latest candle with its count: beside one SELECT', 'lower', [latest / floor]);
  await retention(database);
  await store.close();
  await database.close();
}

/** Returns the whole seconds of CPU time that the server's running processes have taken. */
async function cpuOfBackends(database: PostgresDatabase): Promise<number> {
  const [row] = await database.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid");
  const times = execFileSync('ps', ['-o', 'cputimes=', '--ppid', String(row?.pid)], { encoding: 'utf8' });
  return times.split('\n').reduce((sum, time) => sum + Number(time), 0);
}

/** Measures what a latest candle cannot be faster than. */
async function oneSelect(database: PostgresDatabase): Promise<number> {
  const text = 'SELECT * FROM service.candles WHERE pool = $1 AND length = 86400 AND start = $2';
  const began = performance.now();
  for (let n = 0; n < answers; n++)
    await database.query({ name: 'one', text }, [1, FIRST + (n % 9) * 86_400]);
  const mean = (performance.now() - began) / answers;
  line('one indexed SELECT', `${mean.toFixed(3)} ms`);
  return mean;
}

/** Measures dropping the oldest month. */
async function retention(database: PostgresDatabase): Promise<void> {
  const [eldest] = await database.query(
    `SELECT relname, reltuples::int8 AS rows FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'service.samples'::regclass ORDER BY relname LIMIT 1`,
  );
  const [count] = await database.query(`SELECT count(*) AS rows FROM service.${eldest?.relname}`);
  const began = performance.now();
  await database.query(`DROP TABLE service.${eldest?.relname}`);
  line(`dropping ${eldest?.relname}`, `${count?.rows} rows`, `${(performance.now() - began).toFixed(1)} ms`);
}

const programs = findPostgres();
if (typeof programs === 'string') {
  process.stdout.write(`left out: ${programs}\n`);
} else {
  const cluster = new TestCluster(programs);
  try {
    await cluster.start({ fsync: true });
    const folder = mkdtempSync(join(tmpdir(), 'bench-takes-'));
    for (const keys of isBrief ? [] : [1, 10_000]) {
      await takes('SQLite', folder, 1, keys);
      await cluster.createDatabase(`takes_${keys}`);
      for (const processes of [1, 4])
        await takes('PostgreSQL', cluster.urlOf(`takes_${keys}`), processes, keys);
    }
    rmSync(folder, { recursive: true });
    if (!isBrief) {
      await serves('HTTPS, SQLite, one process');
      await cluster.createDatabase('served');
      await serves('HTTPS, PostgreSQL, 4 workers', '--database', cluster.urlOf('served'), '--workers', '4');
    }
    for (const size of isBrief ? [small] : [small, large]) {
      await onSqlite(size);
      await cluster.createDatabase(`market_${size}`);
      await onPostgres(cluster.urlOf(`market_${size}`), size);
    }
  } finally {
    await cluster.stop();
  }
}
