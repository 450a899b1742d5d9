import { once } from 'node:events';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { pino } from 'pino';
import { makeFolder } from '../../results/make-folder.ts';
import { writeFiles } from '../../results/run-files.ts';
import { PROFILES, type Profile } from '../../service/api/profiles.ts';
import { type RunningService, type ServiceOptions, startService } from '../../service/start.ts';
import { readNamedFile } from '../read-file.ts';
import { wholeAbove } from '../run-flags.ts';
import { UsageError } from '../usage-error.ts';

type ServeFlags = {
  readonly port: number;
  readonly data: string;
  readonly cert?: string;
  readonly key?: string;
  readonly seed?: number;
  readonly now?: number;
  readonly quotaLimit?: number;
  readonly quotaRemaining?: number;
  readonly profile?: Profile;
  readonly fault: readonly string[];
  readonly readyFile?: string;
};

const mostBytes = 1 << 20;

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('the reference service, over HTTPS on loopback')
    .option('--port <n>', 'port to listen on, 0 for any that is free', readPort, 8443)
    .option('--data <dir>', 'folder of its store', join('.candleproof', 'service'))
    .option('--cert <file>', 'PEM of a certificate; a fresh one is made when none is given')
    .option('--key <file>', 'PEM of its private key')
    .option('--seed <n>', 'of the simulated market', (text) => wholeAbove(-1, text, '--seed'))
    .option('--now <iso>', 'instant at which its clock starts', readInstant)
    .option('--quota-limit <n>', 'requests a month of its key', (text) =>
      wholeAbove(0, text, '--quota-limit'),
    )
    .option('--quota-remaining <n>', 'requests left this month', (text) =>
      wholeAbove(-1, text, '--quota-remaining'),
    )
    .addOption(new Option('--profile <name>', 'whose behaviour to show').choices([...PROFILES]))
    .option('--fault <id>', 'switch a fault on, by name or number; repeatable', collect, [])
    .option('--ready-file <file>', 'written once it listens: url, apiKeyFile, caFile, poolsV1, poolsV2')
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const service = await start(flags);
  announce(service, flags);
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })]);
  stop.abort();
  await service.close();
}

async function start(flags: ServeFlags): Promise<RunningService> {
  const { port, data: dataDir, fault: faults, seed, quotaLimit, quotaRemaining } = flags;
  const logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  const options: ServiceOptions = {
    port,
    dataDir,
    faults,
    logger,
    ...(seed !== undefined && { seed }),
    ...(quotaLimit !== undefined && { quotaLimit }),
    ...(quotaRemaining !== undefined && { quotaRemaining }),
    ...(flags.profile && { profile: flags.profile }),
    ...(flags.now !== undefined && { clock: clockFrom(flags.now) }),
    ...certificateOf(flags),
  };
  try {
    makeFolder(dataDir);
    return await startService(options);
  } catch (error) {
    throw new UsageError(`serve: ${(error as Error).message}`);
  }
}

/** A clock that starts at an instant and runs on from there. */
function clockFrom(instant: number): () => number {
  const began = performance.now();
  return () => instant + (performance.now() - began);
}

function certificateOf({ cert, key }: ServeFlags): Pick<ServiceOptions, 'certificate'> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined)
    throw new UsageError('--cert and --key go together: give both or neither');
  return {
    certificate: {
      certPem: readNamedFile(cert, '--cert', mostBytes),
      keyPem: readNamedFile(key, '--key', mostBytes),
    },
  };
}

function announce(service: RunningService, { data, readyFile }: ServeFlags): void {
  const { url, apiKeyFile, caPem, poolsV1, poolsV2 } = service;
  writeFiles(data, { 'ca.pem': caPem });
  const caFile = join(data, 'ca.pem');
  process.stdout.write(
    [
      `serving ${url}`,
      `try it: npx candleproof check --base-url ${url} --api-key-file ${apiKeyFile} --ca-file ${caFile} --pools-v1 ${poolsV1.join(',')} --pools-v2 ${poolsV2.join(',')}`,
      '',
    ].join('\n'),
  );
  if (readyFile === undefined) return;
  const ready = { url, apiKeyFile, caFile, poolsV1, poolsV2 };
  writeFiles(join(readyFile, '..'), {
    [readyFile.split(/[\\/]/).at(-1) ?? 'ready.json']: `${JSON.stringify(ready)}\n`,
  });
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

function readPort(text: string): number {
  const port = wholeAbove(-1, text, '--port');
  if (port > 65_535) throw new UsageError(`--port: ${port} is no port: give 0 to 65535`);
  return port;
}

function readInstant(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant))
    throw new UsageError(`--now: "${text}" is no instant: give one such as 2026-01-31T23:59:00Z`);
  return instant;
}
