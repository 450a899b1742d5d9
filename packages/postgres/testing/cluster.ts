import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresAddress } from '../address.ts';
import { PostgresDatabase } from '../postgres-database.ts';
import type { PostgresPrograms } from './programs.ts';

/** Anyone on loopback is let in, but this role wants its password. */
const guarded = 'guarded';
const access = `host all ${guarded} 127.0.0.1/32 scram-sha-256\nlocal all all trust\nhost all all 127.0.0.1/32 trust\n`;

/** Longest wait in ms for a server that starts; one that recovers from a crash takes longer. */
const startMs = 30_000;

/**
 * A PostgreSQL server for tests alone, in a folder that is gone with it. What ends it is a separate process that waits
 * for the end of a pipe, so that it ends whatever becomes of the tests.
 */
export class TestCluster {
  readonly #programs: PostgresPrograms;
  readonly #folder: string;
  readonly #watcher: ChildProcess;
  #port = 0;
  #server: ChildProcess | undefined;

  constructor(programs: PostgresPrograms) {
    this.#programs = programs;
    this.#folder = mkdtempSync(join(tmpdir(), 'candleproof-pg-'));
    if (programs.user) chownSync(this.#folder, programs.user.uid, programs.user.gid);
    this.#watcher = spawn('sh', ['-c', ending, 'sh', this.#program('pg_ctl'), this.#folder], {
      ...programs.user,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const data = join(this.#folder, 'data');
    const form = ['--no-sync', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '-D', data];
    execFileSync(this.#program('initdb'), form, { ...programs.user, cwd: '/', stdio: 'ignore' });
    writeFileSync(join(data, 'pg_hba.conf'), access);
  }

  /** URL of one of its databases, for its owner unless another role is named. */
  urlOf(database: string, role = 'postgres'): string {
    return `postgres://${role}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Folder of its Unix socket. */
  get socketFolder(): string {
    return this.#folder;
  }

  /** Starts it, or starts it again on the same port; returns once it takes connections. */
  async start(settings: { readonly fsync?: boolean } = {}): Promise<void> {
    this.#port ||= await freePort();
    const end = performance.now() + startMs;
    // The last backends of a killed server may still hold its memory for a moment.
    while (!(await this.#start(settings.fsync ?? false, end))) {
      if (performance.now() > end) throw new Error('PostgreSQL does not start');
      await pause(50);
    }
  }

  /** Kills the server as a power cut would end it, but for what the system keeps of its files. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }

  /** Stops every process of the server, or lets them go on: it is there, but says nothing. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = String(this.#server?.pid);
    const children = execFileSync('pgrep', ['-P', postmaster], { encoding: 'utf8' }).trim().split('\n');
    for (const pid of [postmaster, ...children]) process.kill(Number(pid), signal);
  }

  /** A new, empty database. */
  async createDatabase(name: string): Promise<PostgresAddress> {
    await this.#administer(`CREATE DATABASE ${name}`);
    return new PostgresAddress(this.urlOf(name));
  }

  async dropDatabase(name: string): Promise<void> {
    await this.#administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  /** A role that is let in with this password only. */
  async createGuardedRole(password: string): Promise<string> {
    await this.#administer(`CREATE ROLE ${guarded} LOGIN PASSWORD '${password}'`);
    return guarded;
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    this.#watcher.stdin?.end();
    await once(this.#watcher, 'exit');
  }

  async #start(fsync: boolean, end: number): Promise<boolean> {
    const safety = fsync ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
    const place = ['-D', join(this.#folder, 'data'), '-k', this.#folder, '-p', String(this.#port)];
    const bounds = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'];
    const server = spawn(this.#program('postgres'), [...place, ...bounds, ...safety], {
      ...this.#programs.user,
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    });
    server.unref();
    while (server.exitCode === null && performance.now() < end) {
      if (await this.#answers()) {
        this.#server = server;
        return true;
      }
      await pause(20);
    }
    server.kill('SIGKILL');
    return false;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#administer('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  async #administer(statement: string): Promise<void> {
    const database = await PostgresDatabase.open(new PostgresAddress(this.urlOf('postgres')), { most: 1 });
    try {
      await database.query(statement);
    } finally {
      await database.close();
    }
  }

  #program(name: string): string {
    return join(this.#programs.folder, name);
  }
}

const ending = 'cat >/dev/null; "$1" -D "$2/data" -m immediate -w -t 10 stop; rm -rf "$2"';

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
