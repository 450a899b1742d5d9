import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningService, startService } from '../../service/start.ts';
import type { ProxyDistortion } from './fault.ts';
import { startProxy } from './proxy.ts';
import { unseenSets } from './sets.ts';
import { type MeasuredCase, type MeasuredRun, tabulate } from './tables.ts';

type Report = { rules?: { id: string; level: string; outcome: string }[] };
type Stage = { service: RunningService; keyFile: string; folder: string };
type Subject = MeasuredCase & { make(): ProxyDistortion; flags?: readonly string[]; compresses?: boolean };

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: '.' },
    seeds: { type: 'string', default: '1,2,3' },
    label: { type: 'string', default: 'measured' },
    only: { type: 'string' },
    set: { type: 'string', default: 'fifth' },
    command: { type: 'string', default: 'check' },
    budget: { type: 'string', default: '48' },
  },
});
const tree = resolve(values.tree);
const seeds = values.seeds.split(',').map(Number);
const set = unseenSets[values.set];
if (!set) throw new Error(`--set ${values.set}: use ${Object.keys(unseenSets).join(' or ')}`);
const plain: ProxyDistortion = (_, ask) => ask();

const subject = (
  number: number,
  kind: MeasuredCase['kind'],
  one: Omit<Subject, 'number' | 'kind'>,
): Subject => ({
  ...one,
  number,
  kind,
});
const subjects = [
  subject(0, 'plain', { title: 'The service itself', make: () => plain }),
  subject(0, 'plain', { title: 'Idle rows may be missing', make: () => plain, flags: ['--gaps', 'idle'] }),
  ...set.faults,
  ...set.healthy.map((one, at) => subject(41 + at, 'healthy', one)),
].filter(({ number }) => !values.only || number === 0 || values.only.split(',').includes(String(number)));

/** Runs the command of the tree once against a subject; each stage has its own service, so that no quota is shared. */
async function run(
  subject: Subject,
  seed: number,
  { service, keyFile, folder }: Stage,
): Promise<MeasuredRun> {
  const upstream = { url: service.url, key: service.apiKey, ca: service.caPem };
  const proxy = await startProxy(upstream, subject.make(), { compresses: subject.compresses ?? false });
  const pools = ['--pools-v1', service.poolsV1.join(), '--pools-v2', service.poolsV2.join()];
  const target = ['--base-url', proxy.url, '--api-key-file', keyFile, ...pools, ...(subject.flags ?? [])];
  const how = [
    '--budget',
    values.budget,
    '--seed',
    String(seed),
    '--strict',
    '--json',
    '--out',
    join(folder, 'out'),
  ];
  const command = [join(tree, 'cli', 'candleproof.js'), values.command, ...target, ...how];
  const { code, report } = await runNode(command);
  await proxy.close();
  const broken = (report.rules ?? []).filter(
    ({ outcome, level }) => outcome === 'failed' && level !== 'observe',
  );
  const failed = broken.map(({ id, level }) => ({ id, level }));
  return { subject, seed, code, failed, sent: proxy.sent(), shown: proxy.shown() };
}

function runNode(command: readonly string[]): Promise<{ code: number; report: Report }> {
  return new Promise((done) => {
    const options = { cwd: tree, maxBuffer: 2 ** 26, timeout: 120_000 };
    execFile(process.execPath, command, options, (error, stdout) => {
      const code = error ? Number(error.code ?? -1) : 0;
      done({ code, report: stdout.startsWith('{') ? (JSON.parse(stdout) as Report) : {} });
    });
  });
}

async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'unseen-'));
  const service = await startService({ seed: 1, quota: { limit: 100_000 } });
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, service.apiKey, { mode: 0o600 });
  return { service, keyFile, folder };
}

async function closeStage({ service, folder }: Stage): Promise<void> {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

const waiting = seeds.flatMap((seed) => subjects.map((subject) => ({ subject, seed })));
const results: MeasuredRun[] = [];
async function work(): Promise<void> {
  const stage = await openStage();
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const result = await run(next.subject, next.seed, stage);
    results.push(result);
    const failed = result.failed.map(({ id }) => id).join(' ');
    const { number, title } = next.subject;
    process.stderr.write(
      `${next.seed} ${number} ${title}: ${result.code}, ${result.shown} shown ${failed}\n`,
    );
  }
  await closeStage(stage);
}
// Shows the part that was measured if the measurement is ended early.
process.once('SIGTERM', () => waiting.splice(0));
await Promise.all([work(), work()]);
process.stdout.write(tabulate(values.label, results));
