import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { PostgresAddress } from './address.ts';
import { createLayout } from './lay-out.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { test } from './testing/postgres-test.ts';

const layout = { name: 'sums', number: 3, tables: 'CREATE TABLE sums (n int8 PRIMARY KEY)' };

test('values come back as they went in, the largest too', async ({ postgres: { database } }) => {
  const values = [2n ** 63n - 1n, 0.1 + 0.2, 'Ω', true, null];
  const [row] = await database.query(
    'SELECT $1::int8 AS a, $2::float8 AS b, $3 AS c, $4::bool AS d, $5 AS e',
    values,
  );
  expect(Object.values(row ?? {})).toEqual(values);
});

test('a failed transaction leaves nothing behind, and its connection is used again', async ({ postgres }) => {
  const database = await PostgresDatabase.open(postgres.address, { most: 1 });
  await createLayout(database, layout);
  const failing = database.transaction(async (query) => {
    await query('INSERT INTO sums VALUES (1)');
    throw new Error('half way');
  });
  await expect(failing).rejects.toThrow('half way');
  await expect(database.transaction((query) => query('SELECT nothing'))).rejects.toThrow('"nothing"');
  expect(await database.query('SELECT * FROM sums')).toEqual([]);
  await database.close();
});

test('a connection that is lost between two statements fails its transaction, and no more', async ({
  postgres: { database },
}) => {
  const cut = database.transaction(async (query) => {
    const [row] = await query('SELECT pg_backend_pid() AS pid');
    await database.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    await expect
      .poll(() => database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [row?.pid]))
      .toEqual([]);
    await query('SELECT 1');
  });
  await expect(cut).rejects.toMatchObject({ kind: 'unreachable' });
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a session keeps one connection, and closes it where its work fails', async ({ postgres }) => {
  const database = await PostgresDatabase.open(postgres.address, { most: 2 });
  const pid = 'SELECT pg_backend_pid() AS pid';
  const [one, other] = await database.session((query) => Promise.all([query(pid), query(pid)]));
  expect(one).toEqual(other);
  const failing = database.session((query) => query('SELECT nothing'));
  await expect(failing).rejects.toThrow('"nothing"');
  expect(await database.query(pid)).not.toEqual(one);
  await database.close();
});

test('copied rows come back exactly, and a refused row leaves none behind', async ({
  postgres: { database },
}) => {
  await database.query('CREATE TABLE amounts (n int8 PRIMARY KEY, share float8)');
  const rows = Array.from({ length: 20_000 }, (_, n) => [2n ** 62n + BigInt(n), (n + 1) / 3] as const);
  const copied = (more: readonly (readonly [bigint, number])[]): Promise<void> =>
    database.transaction((_query, copy) => copy('amounts', [...rows, ...more]));
  await expect(copied([[2n ** 63n, 1]])).rejects.toThrow('out of range for type bigint');
  expect(await database.query('SELECT * FROM amounts')).toEqual([]);
  await copied([[-1n, Number.POSITIVE_INFINITY]]);
  const stored = await database.query('SELECT * FROM amounts ORDER BY n');
  expect(stored.map(({ n, share }) => [n, share])).toEqual([[-1n, Number.POSITIVE_INFINITY], ...rows]);
});

test('a copy ends when its connection is lost or takes too long', async ({ postgres }) => {
  const database = await PostgresDatabase.open(postgres.address, { statementMs: 300 });
  await database.query('CREATE TABLE amounts (n int8)');
  const cut = database.transaction(async (query, copy) => {
    const [row] = await query('SELECT pg_backend_pid() AS pid');
    await postgres.database.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    await copy('amounts', [[1]]);
  });
  await expect(cut).rejects.toMatchObject({ kind: 'unreachable' });
  await postgres.database.transaction(async (query) => {
    await query('LOCK TABLE amounts');
    const waiting = database.transaction((_query, copy) => copy('amounts', [[1]]));
    await expect(waiting).rejects.toMatchObject({ kind: 'unreachable' });
  });
  await database.close();
});

test('tables are laid out once, although several begin together', async ({ postgres: { database } }) => {
  await Promise.all(Array.from({ length: 6 }, () => createLayout(database, layout)));
  const newer = createLayout(database, { ...layout, number: 4 });
  await expect(newer).rejects.toThrow(
    /\/test_\w+ has layout 3 of its sums, this version reads 4: use an empty database\.$/,
  );
});

test('a statement that takes too long ends, and so does the wait for a connection', async ({ postgres }) => {
  const database = await PostgresDatabase.open(postgres.address, {
    most: 1,
    statementMs: 300,
    connectMs: 300,
  });
  const [slow, waiting] = await Promise.allSettled(
    ['SELECT pg_sleep(20)', 'SELECT 1'].map((statement) => database.query(statement)),
  );
  for (const result of [slow, waiting]) expect(result).toMatchObject({ reason: { kind: 'unreachable' } });
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await database.close();
});

test('a server out of reach may be tried again, a wrong password or database wants a mend', async ({
  postgres,
  cluster,
}) => {
  const role = await cluster.createGuardedRole('right');
  const opened = (url: string): Promise<unknown> =>
    PostgresDatabase.open(new PostgresAddress(url)).catch((error: unknown) => error);
  const { port } = new URL(postgres.url);
  const wrong = await opened(`postgres://${role}:wine-dark-sea@127.0.0.1:${port}/postgres`);
  expect(wrong).toMatchObject({
    kind: 'refused',
    message: `PostgreSQL at 127.0.0.1:${port}/postgres is not open to us (password authentication failed for user "${role}"): check user, password, database and rights`,
  });
  expect(await opened(cluster.urlOf('nowhere'))).toMatchObject({ kind: 'refused' });
  expect(await opened('postgres://postgres@127.0.0.1:1/candles')).toMatchObject({
    kind: 'unreachable',
    message: 'PostgreSQL at 127.0.0.1:1/candles is out of reach (connect ECONNREFUSED 127.0.0.1:1)',
  });
});

test('a listener hears again after the server was killed, and knows that it missed something', async ({
  postgres: { database },
  cluster,
}) => {
  const heard: string[] = [];
  const listening = await database.listen(
    'changes',
    (payload) => heard.push(payload),
    () => heard.push('again'),
  );
  await database.query("SELECT pg_notify('changes', 'one')");
  await expect.poll(() => heard).toEqual(['one']);
  await cluster.kill();
  await expect.poll(() => listening.connected).toBe(false);
  await expect(database.query('SELECT 1')).rejects.toMatchObject({ kind: 'unreachable' });
  await cluster.start();
  await expect.poll(() => listening.connected, { timeout: 5000 }).toBe(true);
  await database.query("NOTIFY changes, 'two'");
  await expect.poll(() => heard).toEqual(['one', 'again', 'two']);
  await listening.stop();
});

test('a server that falls silent counts as lost, and statements end in time', async ({
  postgres,
  cluster,
}) => {
  const database = await PostgresDatabase.open(postgres.address, { statementMs: 300, connectMs: 300 });
  const lost: string[] = [];
  const listening = await database.listen(
    'changes',
    () => {},
    undefined,
    () => lost.push('lost'),
  );
  cluster.signalAll('SIGSTOP');
  try {
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ kind: 'unreachable' });
    await expect.poll(() => listening.connected, { timeout: 2500, intervals: [50] }).toBe(false);
    expect(lost).toEqual(['lost']);
  } finally {
    cluster.signalAll('SIGCONT');
  }
  await expect.poll(() => listening.connected).toBe(true);
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await listening.stop();
  await database.close();
});

test('a process that computes for a second does not take its server for lost', async ({
  postgres: { database },
}) => {
  const lost: string[] = [];
  const listening = await database.listen(
    'changes',
    () => {},
    undefined,
    () => lost.push('lost'),
  );
  // The computation begins as the heartbeat is sent, and its time limit is due before the answer is read.
  await pause(400);
  await immediate();
  const end = performance.now() + 1000;
  while (performance.now() < end);
  await pause(50);
  expect([listening.connected, lost]).toEqual([true, []]);
  await listening.stop();
});
