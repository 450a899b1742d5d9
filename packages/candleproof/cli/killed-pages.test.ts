import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { candleproof, type Ready, serveLogging } from '@candleproof/command/command';
import { draftPath } from '@candleproof/files/write-files';
import type { WrittenReport } from '@candleproof/monitors/page/written-report';
import { expect, test } from '@playwright/test';
import { watchConfig, watching } from './testing/watching.ts';

const seed = Number(process.env.CANDLEPROOF_SEED ?? 1);

/** One of them lets the monitor stop by itself; all others cut it. */
const kills = process.env.CANDLEPROOF_THOROUGH
  ? (['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const)
  : (['SIGKILL', 'SIGTERM'] as const);

/** Longest time in ms until a monitor that was started again can be read. */
const readyMs = 10_000;

/** Requests pages without end, on a connection for each, and judges every answer that came whole. */
class Readers {
  readonly whole = new Map<string, number>();
  readonly flaws: string[] = [];
  cut = 0;
  readonly #running: Promise<unknown>;
  #stopped = false;

  constructor(origin: string) {
    const all = ['/', '/?target=shop', '/metrics', '/healthz', '/badge/shop.svg', '/badge/shop.json'];
    this.#running = Promise.all(all.map((path) => this.#run(origin, path)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(origin: string, path: string): Promise<void> {
    while (!this.#stopped) {
      try {
        const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(30_000) });
        this.#judge(path, answer, await answer.text());
      } catch (error) {
        const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
        if (code !== 'ECONNREFUSED') this.cut += 1;
        await pause(20);
      }
    }
  }

  #judge(path: string, { status, headers }: Response, text: string): void {
    // Before its first round it is not healthy yet.
    if (status === 503 && path === '/healthz') return;
    const isFramed = headers.get('content-length') === String(Buffer.byteLength(text));
    if (status === 200 && isFramed && isWholeText(path, text))
      this.whole.set(path, (this.whole.get(path) ?? 0) + 1);
    else this.flaws.push(`${path}: ${status}, ${text.length} characters that end in ${text.slice(-80)}`);
  }
}

function isWholeText(path: string, text: string): boolean {
  if (path.endsWith('.svg')) return /<\/svg>\s*$/.test(text);
  if (path === '/metrics') return text.split('\n').every(isMetricsLine) && text.endsWith('\n');
  return path.startsWith('/?') || path === '/' ? /<\/html>\s*$/.test(text) : isJson(text);
}

function isMetricsLine(line: string): boolean {
  return /^(#.*|[a-z_]+(\{.*\})? \S+)?$/.test(line);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Returns a port below those that systems give to clients: a client of a closed one might connect to itself. */
function freePort(from: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(freePort(from + 1)));
    server.listen(from, '127.0.0.1', () => server.close(() => resolve(from)));
  });
}

/** Writes a config whose deep probe writes files as often as the others write rows. */
function configAt(folder: string, ready: Ready, port: number): string {
  const file = watchConfig(folder, ready, 'desk');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.monitor.listen = `127.0.0.1:${port}`;
  config.probes.deep = { deep: 12, every: '10s' };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Returns a part of ten seconds, the same for a seed and a round. */
function drawWait(round: number): number {
  const drawn = createHash('sha256').update(`${seed} ${round}`).digest().readUInt32BE();
  return (drawn / 2 ** 32) * 10_000;
}

type Counts = { readonly reported: number; readonly exported: number };

async function countSlots(data: readonly string[]): Promise<Counts> {
  const out = ['--out', test.info().outputPath('report')];
  const report = await candleproof(['report', ...data, '--json', ...out]);
  expect(report).toMatchObject({ code: 0, stderr: '' });
  const { targets }: WrittenReport['numbers'] = JSON.parse(report.stdout);
  const lines = await candleproof(['monitor', 'results', 'export', ...data]);
  expect(lines).toMatchObject({ code: 0, stderr: '' });
  return {
    reported: targets.reduce((sum, { n }) => sum + n, 0),
    exported: lines.stdout.split('\n').filter((line) => line.startsWith('{"type":"slot"')).length,
  };
}

/** Leaves half a file, as a monitor does that is killed in the few milliseconds in which it writes a run. */
function leaveDraft(folder: string, round: number): void {
  const run = join(folder, 'runs', `shop-deep-2026-11-20T09-00-00-00${round}Z`);
  mkdirSync(run, { recursive: true });
  writeFileSync(draftPath(run), '{"half');
}

/** Lists the files that were not written to their end. */
function halfWritten(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => {
    if (/^\.candleproof-|\.tmp$|-journal$/.test(basename(file))) return true;
    if (file.endsWith('.html')) return !isWholeText('/', readFileSync(join(folder, file), 'utf8'));
    return /\.(json|har|sarif)$/.test(file) && !isJson(readFileSync(join(folder, file), 'utf8'));
  });
}

test(`a monitor that is killed while its pages are read serves no half page and loses no slot (${kills.length} kills, seed ${seed})`, {
  tag: '@endurance',
}, async () => {
  test.setTimeout(60_000 + kills.length * 45_000);
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const served = await serveLogging('warn', info.outputPath('service'), '--quota-limit', '10000000');
  const folder = info.outputPath('data');
  const data = ['--data', folder];
  const port = await freePort(20_000 + (process.pid % 10_000));
  const config = configAt(info.outputDir, served.ready, port);
  const readers = new Readers(`http://127.0.0.1:${port}`);
  const begin = () =>
    watching(['--config', config, ...data], { CANDLEPROOF_STATE_DIR: info.outputPath('state') });
  let monitor = begin();
  try {
    for (const [round, signal] of kills.entries()) {
      const { pid } = await monitor.line('ok');
      const before = await countSlots(data);
      expect(before.reported).toBeGreaterThan(0);
      await pause(drawWait(round));
      const { cut } = readers;
      process.kill(Number(pid), signal);
      expect(await monitor.stop()).toBe(signal === 'SIGTERM' ? 0 : null);
      await expect.poll(() => readers.cut, 'answers were under way').toBeGreaterThan(cut);
      const after = await countSlots(data);
      expect(after.reported).toBeGreaterThanOrEqual(before.reported);
      expect(after.exported).toBeGreaterThanOrEqual(before.exported);
      leaveDraft(folder, round);
      const since = performance.now();
      monitor = begin();
      expect(await monitor.line('watching')).toMatchObject({ url: `http://127.0.0.1:${port}` });
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status, { intervals: [100] })
        .toBe(200);
      expect(performance.now() - since).toBeLessThan(readyMs);
    }
    expect(await monitor.stop()).toBe(0);
    expect(halfWritten(folder)).toEqual([]);
    await readers.stop();
    expect(readers.flaws).toEqual([]);
    expect([...readers.whole.values()].filter((count) => count > kills.length)).toHaveLength(6);
  } finally {
    await readers.stop();
    await monitor.stop();
    await served.stop();
  }
});
