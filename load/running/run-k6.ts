import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rootCertificates } from 'node:tls';
import type { K6 } from './find-k6.ts';
import {
  type GeneratorEnded,
  type GeneratorRun,
  maxComplaints,
  type Segment,
  stopWith,
} from './generator.ts';
import { findK6Script } from './k6-script.ts';
import { CpuUse, cpuSeconds, MemoryBound } from './process-watch.ts';
import { findLoadRuns, readLogLine } from './read-load-run.ts';

export type K6Run = GeneratorRun & { readonly k6: K6 };

/** Runs the load; resolves when k6 has ended, however it did. */
export async function runK6(run: K6Run): Promise<GeneratorEnded> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-load-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await runK6Within(folder, run);
  } finally {
    remove();
    process.off('exit', remove);
  }
}

async function runK6Within(folder: string, options: K6Run): Promise<GeneratorEnded> {
  const { k6, plan, stop, onMessage } = options;
  const planFile = join(folder, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan), { mode: 0o600 });
  const configFile = join(folder, 'k6.json');
  writeFileSync(configFile, '{}');
  const args = [
    'run',
    // In place of the user's config, which could print the key, replace the scenario or trust any certificate.
    '--config',
    configFile,
    '--quiet',
    '--no-color',
    '--log-format',
    'json',
    ...formatSegment(options.segment),
    await findK6Script(folder),
  ];
  // A separate group: k6 would get the terminal's signal beside ours, and a second one makes it drop everything.
  const child = spawn(k6.file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(folder, planFile, options),
  });
  const cpu = new CpuUse(() => cpuSeconds(child.pid ?? 0), availableParallelism());
  const memory = new MemoryBound(child.pid ?? 0, plan.vus, () => child.kill('SIGKILL'));
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { message, complaint } = readLogLine(line);
    if (message?.kind === 'progress') cpu.begin();
    if (message) onMessage(message);
    else if (complaints.length < maxComplaints) complaints.push(complaint);
  });
  let summary = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    summary += text;
  });
  const release = stopWith(stop, (signal) => child.kill(signal));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(release);
  const { most, seconds } = cpu.end();
  memory.stop();
  const [run] = findLoadRuns(summary);
  return {
    run,
    cpu: most,
    cpuSeconds: seconds,
    memory: memory.exceeded,
    code,
    complaints,
  };
}

/** As k6 writes fractions of the whole. */
function formatSegment(segment: Segment | undefined): string[] {
  if (!segment) return [];
  const { index, of } = segment;
  const cut = (at: number): string => (at === 0 ? '0' : at === of ? '1' : `${at}/${of}`);
  const cuts = Array.from({ length: of + 1 }, (_, at) => cut(at)).join(',');
  return ['--execution-segment', `${cut(index - 1)}:${cut(index)}`, '--execution-segment-sequence', cuts];
}

/** k6's variables could replace the scenario, and the guard with it: users may only choose outputs of its figures. */
const harmless = /^K6_(OUT|WEB_DASHBOARD|OTEL|PROMETHEUS|INFLUXDB)/;

function environment(folder: string, planFile: string, { apiKey, ca }: K6Run): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CANDLEPROOF_') && (!name.startsWith('K6_') || harmless.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    K6_NO_USAGE_REPORT: 'true',
    CANDLEPROOF_LOAD_PLAN: planFile,
    ...(apiKey !== undefined && { CANDLEPROOF_LOAD_KEY: apiKey }),
    ...(ca !== undefined && { SSL_CERT_FILE: authorities(folder, ca) }),
  };
}

/** Go takes this file instead of the system's, and other folders' beside it. */
function authorities(folder: string, ca: string): string {
  const file = join(folder, 'authorities.pem');
  writeFileSync(file, [ca, ...rootCertificates].join('\n'), { mode: 0o600 });
  return file;
}
