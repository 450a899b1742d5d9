import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { countSamples, mergeAll } from '@candleproof/law/planning/histogram';
import type { LoadPlan, LoadRun } from '@candleproof/load/load-run';
import { findK6 } from '@candleproof/load/running/find-k6';
import { findLoadRuns } from '@candleproof/load/running/read-load-run';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { LoadedService } from '../testing/loaded-service.ts';

const k6 = findK6();
const folder = passingFolder();

test.skip(!k6, 'k6 is not here: its operator’s runners are not started');

type Manifest = {
  readonly spec: {
    readonly parallelism: number;
    readonly script: { readonly localFile: string };
    readonly arguments: string;
    readonly runner: {
      readonly env: readonly { name: string; value?: string; valueFrom?: { secretKeyRef: object } }[];
      readonly volumeMounts: readonly { readonly mountPath: string }[];
    };
  };
};

const { spec }: Manifest = parse(readFileSync(join('deploy', 'k6-testrun.yaml'), 'utf8'));

/** The command and the environment that k6-operator 1.6 gives runner `index`, with the paths of this machine. */
function runner(index: number, port: number, secret: string): { args: string[]; env: NodeJS.ProcessEnv } {
  const of = spec.parallelism;
  const cut = (at: number): string => (at === 0 ? '0' : at === of ? '1' : `${at}/${of}`);
  const built = resolve(String(process.env.CANDLEPROOF_COMMAND), '../../dist');
  const here = spec.script.localFile.replace(/^\/candleproof\//, `${built}/`);
  const [{ mountPath } = { mountPath: '' }] = spec.runner.volumeMounts;
  const env = spec.runner.env.map(({ name, value }) => [name, value?.replace(mountPath, folder) ?? secret]);
  return {
    args: [
      ...['run', '--quiet', `--execution-segment=${cut(index - 1)}:${cut(index)}`],
      `--execution-segment-sequence=${Array.from({ length: of + 1 }, (_, at) => cut(at)).join(',')}`,
      ...[...spec.arguments.split(' '), here, `--address=127.0.0.1:${port}`, '--paused'],
      ...['--tag', `instance_id=${index}`, '--tag', 'testrun_name=candleproof-load'],
    ],
    env: { PATH: process.env.PATH, ...Object.fromEntries(env) },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}

/** As the operator's starter does, once all runners are ready. */
async function resume(port: number): Promise<void> {
  const attributes = { paused: false, stopped: false };
  const body = JSON.stringify({ data: { attributes, id: 'default', type: 'status' } });
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/status`, { method: 'PATCH', body });
  expect(status).toBe(200);
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Standard output and errors in one file, as a cluster keeps them. */
function logged(child: ChildProcess, file: string): Promise<number | null> {
  const log = createWriteStream(file);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  return new Promise((ended) => child.once('close', (code) => log.end(() => ended(code))));
}

test('the logs of the operator’s runners make one run, equal to their sum and to what was served', async () => {
  const loaded = await LoadedService.start();
  const { url, apiKey, caPem, poolsV1, poolsV2 } = loaded.service;
  const files = { key: join(folder, 'key'), ca: join(folder, 'ca.pem'), plan: join(folder, 'plan.json') };
  writeFileSync(files.key, apiKey);
  writeFileSync(files.ca, caPem);
  const planned = await candleproof([
    ...['load', 'smoke', '--rate', '20', '--duration', '3', '--plan', files.plan, '--timeout', '1000'],
    ...['--base-url', url, '--api-key-file', files.key, '--ca-file', files.ca],
    ...['--pools-v1', poolsV1.join(','), '--pools-v2', poolsV2.join(',')],
  ]);
  expect(planned.code, planned.stderr).toBe(0);
  const plan: LoadPlan = JSON.parse(readFileSync(files.plan, 'utf8'));
  expect(readFileSync(files.plan, 'utf8')).not.toContain(apiKey);
  const before = await loaded.counted();

  const ports = await Promise.all(Array.from({ length: spec.parallelism }, freePort));
  const logs = ports.map((_, at) => join(folder, `${at + 1}.log`));
  const children = ports.map((port, at) => {
    const { args, env } = runner(at + 1, port, apiKey);
    return spawn(k6?.file ?? '', args, { env: { ...env, SSL_CERT_FILE: files.ca } });
  });
  const ended = Promise.all(children.map((child, at) => logged(child, logs[at] ?? '')));
  for (const port of ports) await expect.poll(() => isReady(port), { timeout: 30_000 }).toBe(true);
  await Promise.all(ports.map(resume));
  expect(await ended).toEqual(ports.map(() => 0));
  const served = (await loaded.counted()) - before;
  await loaded.close();

  const out = join(folder, 'all');
  const { code, stderr } = await candleproof(['load', '--merge', ...logs, '--out', out]);
  expect([0, 3], stderr).toContain(code);
  const merged: LoadRun = JSON.parse(readFileSync(join(folder, 'all', 'load.json'), 'utf8'));
  const parts = logs.flatMap((log) => findLoadRuns(readFileSync(log, 'utf8')));
  expect(merged.parts.map((part) => part.segment)).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(merged.trial).toEqual(plan.trial);
  expect(merged.figures.latency).toEqual(mergeAll(parts.map((part) => part.figures.latency)));
  const { sent, sampled, outcomes } = merged.figures;
  expect([sent, countSamples(merged.figures.latency), outcomes.ok, sampled]).toEqual([
    served,
    served,
    served,
    served,
  ]);
  expect(served).toBeLessThanOrEqual(plan.cap);
  expect(served).toBeGreaterThan(plan.cap * 0.9);
  expect(stderr).toContain(`npx candleproof judge ${join(out, 'exchanges.har')}`);
  const judged = await candleproof(['judge', join(out, 'exchanges.har'), '--json']);
  expect(judged.stdout).toContain(`"sent":${served}`);
  for (const log of logs) expect(readFileSync(log, 'utf8')).not.toContain(apiKey);
});
