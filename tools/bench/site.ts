/**
 * Measures a site: a year of three targets, 400 runs, with temporary faults and another document. Makes
 * seven real checks of the reference service, and copies them with other dates, targets and document hashes, each with
 * its recording. Reports wall time, CPU time and peak memory for all runs at once, for one more and for none, the size on
 * disk and of the first page, and whether a second site, built in another order, has the same bytes.
 * Run it with `node tools/bench/site.ts [folder]`; with a folder everything is kept there.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const command = join(import.meta.dirname, '../../packages/candleproof/cli/candleproof.js');
const [given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'bench-site-'));
const runs = 400;
const day = 86_400_000;
const newest = Date.UTC(2026, 10, 20, 3, 17);

/** Runs a check with these faults and flags. */
const kinds = {
  sound: { faults: [], flags: [] },
  average: { faults: ['F31'], flags: [] },
  late: { faults: ['F60:900', 'F25'], flags: [] },
  many: { faults: ['F1', 'F7', 'F14', 'F18', 'F22', 'F25', 'F31', 'F36', 'F60'], flags: [] },
  refused: { faults: [], flags: ['--timeout', '1'] },
} as const;
type Kind = keyof typeof kinds;

/** Returns the kind of one of the year's 134 rounds; faults move from one target to the next. */
function roundKind(round: number, target: number): Kind {
  const phase = (round + 11 * target) % 67;
  if (round < 60) return phase > 20 && phase < 27 ? 'average' : 'sound';
  if (phase === 40) return 'refused';
  if (phase > 60) return 'many';
  if (phase > 44 && phase < 52) return 'late';
  return phase > 30 && phase < 34 ? 'average' : 'sound';
}

async function makeKind(kind: Kind): Promise<void> {
  const out = join(folder, 'kinds', kind);
  if (existsSync(join(out, 'run.json'))) return;
  const data = join(folder, 'service', kind);
  const readyFile = join(data, 'ready.json');
  const { faults, flags } = kinds[kind];
  const args = ['serve', '--port', '0', '--data', data, '--ready-file', readyFile];
  const service = spawn(process.execPath, [
    command,
    ...args,
    ...faults.flatMap((fault) => ['--fault', fault]),
  ]);
  try {
    const ready = await awaitReady(readyFile, service);
    spawnSync(process.execPath, [
      ...[
        command,
        'check',
        '--base-url',
        ready.url,
        '--api-key-file',
        ready.apiKeyFile,
        '--ca-file',
        ready.caFile,
      ],
      ...[
        '--pools-v1',
        ready.poolsV1.join(','),
        '--pools-v2',
        ready.poolsV2.join(','),
        '--out',
        out,
        ...flags,
      ],
    ]);
  } finally {
    service.kill();
  }
}

type Ready = {
  readonly url: string;
  readonly apiKeyFile: string;
  readonly caFile: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
};

async function awaitReady(file: string, service: ChildProcess): Promise<Ready> {
  for (let tries = 0; tries < 200 && service.exitCode === null; tries++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
    await setTimeout(100);
  }
  throw new Error('the service did not start');
}

/** Writes one run of the year, with the recording of its check. */
function makeRun(index: number): string {
  const [round, target] = [Math.floor(index / 3), index % 3];
  const kind = roundKind(round, target);
  const place = join(folder, 'year', String(index).padStart(4, '0'));
  const file = join(place, 'run.json');
  if (existsSync(file)) return place;
  const source = join(folder, 'kinds', kind);
  const run = JSON.parse(readFileSync(join(source, 'run.json'), 'utf8'));
  const startedAt = newest - ((runs - 1 - index) / (runs - 1)) * 365 * day;
  run.target.name = ['mainnet', 'testnet', 'staging'][target];
  run.startedAt = new Date(startedAt).toISOString();
  run.finishedAt = new Date(startedAt + 12_000).toISOString();
  if (round >= 100) run.versions.specSha256 = createHash('sha256').update('another document').digest('hex');
  mkdirSync(place, { recursive: true });
  writeFileSync(file, JSON.stringify(run));
  linkSync(join(source, 'exchanges.har'), join(place, 'exchanges.har'));
  return place;
}

/** Measures seconds and megabytes of one call by the operating system's counts. */
function publish(site: string, paths: readonly string[]): string {
  const child = `
    process.on('exit', () => {
      const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
      process.stderr.write(JSON.stringify({ memory: maxRSS, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
    });
    process.argv.splice(1, 1);
    await import(${JSON.stringify(command)});
  `;
  const began = performance.now();
  const args = ['publish', ...paths, '--site', site, '--now', '2026-11-22T00:00:00Z'];
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', child, 'x', command, ...args],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  const { memory, cpu } = JSON.parse(stderr);
  const seconds = (performance.now() - began) / 1000;
  return `${seconds.toFixed(2)} s (${cpu.toFixed(2)} s of CPU), ${(memory / 1024).toFixed(0)} MB`;
}

function listFiles(site: string): string[] {
  return globSync('**/*', { cwd: site })
    .filter((file) => statSync(join(site, file)).isFile())
    .sort();
}

function sumSizes(site: string): string {
  const sum = createHash('sha256');
  for (const file of listFiles(site)) sum.update(file).update(readFileSync(join(site, file)));
  return sum.digest('hex');
}

for (const kind of Object.keys(kinds) as Kind[]) await makeKind(kind);
const paths = Array.from({ length: runs }, (_, index) => makeRun(index));
const [site, other] = [join(folder, 'site'), join(folder, 'other')];
for (const folder of [site, other]) rmSync(folder, { recursive: true, force: true });

console.log(`${runs - 1} runs: ${publish(site, paths.slice(0, -1))}`);
console.log(`one run more: ${publish(site, paths.slice(-1))}`);
console.log(`the same again: ${publish(site, paths.slice(-1))}`);
console.log(`${runs} runs in other order: ${publish(other, paths.toReversed())}`);
console.log(sumSizes(site) === sumSizes(other) ? 'the same bytes' : 'OTHER BYTES');
const bytes = listFiles(site).map((file) => statSync(join(site, file)).size);
console.log(`${bytes.length} files, ${(bytes.reduce((a, b) => a + b, 0) / 1e6).toFixed(0)} MB`);
console.log(`first page: ${(statSync(join(site, 'index.html')).size / 1e3).toFixed(0)} kB`);
if (!given) rmSync(folder, { recursive: true });
