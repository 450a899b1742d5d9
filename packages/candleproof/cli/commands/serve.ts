import { once } from 'node:events';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readCertificatePair } from '@candleproof/files/certificate';
import type { NamedFile } from '@candleproof/files/named-file';
import { readCount, readPort, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { PROFILES, type Profile } from '@candleproof/reference-service/assemble';
import {
  findTroubledOption,
  openProcesses,
  type ProcessOptions,
  type ServiceProcesses,
  UnstartedWorker,
} from '@candleproof/reference-service/service-processes';
import { type Command, Option } from 'commander';
import { pino } from 'pino';
import { databaseFlag, readDatabase } from '../database/read-database.ts';
import { forceFlag } from '../running/file-option.ts';
import { headings, option, repeatable } from '../running/options.ts';
import { announce, readyFileOption, withdraw } from '../serving/announcement.ts';
import { startTrouble } from '../serving/start-trouble.ts';

type ServeFlags = {
  readonly port: number;
  readonly data: string;
  readonly database?: string;
  readonly workers?: number;
  readonly cert?: string;
  readonly key?: string;
  readonly seed?: number;
  readonly now?: string;
  readonly quotaLimit?: number;
  readonly quotaRemaining?: number;
  readonly quotaZone?: string;
  readonly host?: string;
  readonly operatorPort?: number;
  readonly profile?: Profile;
  readonly fault?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly readyFile?: NamedFile;
};

/** Adds the command `serve` to the program. */
export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('the reference service, over HTTPS on loopback')
    .optionsGroup(headings.listening)
    .addOption(option('--port <n>', 'port to listen on, 0 for any that is free', readPort, 8443))
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--cert <file>', 'PEM of a certificate; a fresh one is made when none is given')
    .option('--key <file>', 'PEM of its private key')
    .addOption(
      repeatable(
        '--trust-proxy <address>',
        'address of a proxy whose X-Forwarded-For is believed; repeatable',
        readAddress,
      ),
    )
    .optionsGroup('What it serves:')
    .option('--data <dir>', 'folder of its store', join('.candleproof', 'service'))
    .option(...databaseFlag)
    .addOption(option('--workers <n>', 'processes on one port, with --database', readWholeNumber))
    .addOption(option('--seed <n>', 'seed of the simulated market', readCount))
    .option('--now <iso>', 'instant at which its clock starts')
    .addOption(new Option('--profile <name>', 'which behaviour to show').choices([...PROFILES]))
    .addOption(
      repeatable(
        '--fault <id>',
        'switch a fault on, by name or number, with a size such as F60:900 where it has one; repeatable',
      ),
    )
    .optionsGroup("Its key's month:")
    .addOption(option('--quota-limit <n>', 'requests a month of its key', readWholeNumber))
    .addOption(option('--quota-remaining <n>', 'requests left this month', readCount))
    .option('--quota-zone <zone>', 'time zone of its months, such as America/New_York (UTC)')
    .optionsGroup(headings.scripts)
    .addOption(
      option(
        '--operator-port <n>',
        'a second port, plain and on loopback: /readyz, /faults, /network-reset',
        readPort,
      ),
    )
    .addOption(readyFileOption('url, apiKeyFile, caFile, poolsV1, poolsV2, pid, operatorUrl, operatorToken'))
    .option(...forceFlag)
    .action(serve);
}

/** Longest wait in ms for answers that are under way when it has to stop. */
const graceMs = 5000;

async function serve(flags: ServeFlags): Promise<void> {
  const { readyFile, port, operatorPort, workers } = flags;
  if (port !== 0 && port === operatorPort)
    throw new UsageError(`--operator-port: ${port} is --port already: give another, 0 for any that is free`);
  const database = readDatabase(flags.database, process.env);
  if (workers !== undefined && !database)
    throw new UsageError('--workers: SQLite serves one process alone: give --database too, or no --workers');
  const processes = await open(flags, database);
  await serveUntilStopped(() => processes.begin((service) => announce(service, flags)).catch(throwUsageError))
    // A worker's leaves the file to the process that wrote it.
    .finally(async () => {
      withdraw(readyFile);
      await processes.stop(graceMs);
    });
}

/** Does what has to be done once all are ready, and waits for the signal to end. */
async function serveUntilStopped(ready: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  // Handled before the service is announced: a reader of the ready file may stop it at once.
  const ended = Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })]);
  ended.catch(() => undefined);
  try {
    await ready();
    await ended;
  } finally {
    stop.abort();
  }
}

function throwUsageError(error: unknown): never {
  if (error instanceof UnstartedWorker)
    throw new UsageError('--workers: one did not start, for the reason above');
  throw error;
}

async function open(flags: ServeFlags, database: PostgresAddress | undefined): Promise<ServiceProcesses> {
  const { data: dataDir, fault: faults = [], quotaLimit: limit, quotaRemaining: remaining } = flags;
  const { port, seed, host, profile, now, workers, quotaZone, operatorPort, trustProxy } = flags;
  const logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  const options: ProcessOptions = {
    ...{ dataDir, database, workers, port, faults, logger, seed, host, profile, now, operatorPort },
    quota: { limit, remaining },
    trustedProxies: trustProxy,
    ...(quotaZone !== undefined && { choices: { quotaZone } }),
    ...readCertificatePair(flags),
  };
  makeOutputFolder(dataDir, '--data');
  try {
    return await openProcesses(options);
  } catch (error) {
    const option = findTroubledOption(error);
    throw startTrouble(error, flags, option && flagOf[option]);
  }
}

const flagOf = {
  now: '--now',
  database: '--database',
  quota: '--quota-remaining',
  dataDir: '--data',
} as const;

function readAddress(text: string): string {
  if (isIP(text) === 0)
    throw new UsageError(`--trust-proxy: "${text}" is no address: give one such as 10.0.0.7`);
  return text;
}
