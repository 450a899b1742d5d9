import { once } from 'node:events';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { pino } from 'pino';
import { PROFILES, type Profile } from '../../service/api/profiles.ts';
import { type RunningService, type ServiceOptions, startService } from '../../service/start.ts';
import { makeOutFolder } from '../running/publish-run.ts';
import { wholeAbove } from '../running/run-flags.ts';
import { announce, withdraw } from '../serving/announcement.ts';
import { ownCertificate } from '../serving/own-certificate.ts';
import { startTrouble } from '../serving/start-trouble.ts';
import { UsageError } from '../usage-error.ts';

type ServeFlags = {
  readonly port: number;
  readonly data: string;
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
  readonly readyFile?: string;
};

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('the reference service, over HTTPS on loopback')
    .option(
      '--port <n>',
      'port to listen on, 0 for any that is free',
      (text) => readPort(text, '--port'),
      8443,
    )
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--data <dir>', 'folder of its store', join('.candleproof', 'service'))
    .option('--cert <file>', 'PEM of a certificate; a fresh one is made when none is given')
    .option('--key <file>', 'PEM of its private key')
    .option('--seed <n>', 'seed of the simulated market', (text) => wholeAbove(-1, text, '--seed'))
    .option('--now <iso>', 'instant at which its clock starts')
    .option('--quota-limit <n>', 'requests a month of its key', (text) =>
      wholeAbove(0, text, '--quota-limit'),
    )
    .option('--quota-remaining <n>', 'requests left this month', (text) =>
      wholeAbove(-1, text, '--quota-remaining'),
    )
    .option('--quota-zone <zone>', 'time zone of its months, such as America/New_York (UTC)')
    .addOption(new Option('--profile <name>', 'which behaviour to show').choices([...PROFILES]))
    .option(
      '--fault <id>',
      'switch a fault on, by name or number, with a size such as F60:900 where it has one; repeatable',
      (text, before: readonly string[] = []) => [...before, text],
    )
    .option(
      '--trust-proxy <address>',
      'address of a proxy whose X-Forwarded-For is believed; repeatable',
      (text, before: readonly string[] = []) => [...before, readAddress(text)],
    )
    .option(
      '--operator-port <n>',
      'a second port, plain and on loopback: /readyz, /faults, /network-reset',
      (text) => readPort(text, '--operator-port'),
    )
    .option(
      '--ready-file <file>',
      'written once it listens: url, apiKeyFile, caFile, poolsV1, poolsV2, pid, operatorUrl, operatorToken',
    )
    .action(serve);
}

/** Longest wait in ms for answers that are under way when it has to stop. */
const graceMs = 5000;

async function serve(flags: ServeFlags): Promise<void> {
  const { data, readyFile, port, operatorPort } = flags;
  if (port !== 0 && port === operatorPort)
    throw new UsageError(`--operator-port: ${port} is --port already: give another, 0 for any that is free`);
  const service = await start(flags);
  const stop = new AbortController();
  const { signal } = stop;
  // Heard before anybody learns that it listens: anyone who reads the ready file may end it at once.
  const ended = Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })]);
  ended.catch(() => undefined);
  try {
    announce(service, data, readyFile);
    await ended;
  } finally {
    stop.abort();
    withdraw(readyFile);
    await service.close(graceMs);
  }
}

async function start(flags: ServeFlags): Promise<RunningService> {
  const { port, data: dataDir, fault: faults = [], quotaLimit: limit, quotaRemaining: remaining } = flags;
  const { seed, host, profile, now, quotaZone, operatorPort, trustProxy } = flags;
  const logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  const options: ServiceOptions = {
    port,
    dataDir,
    faults,
    logger,
    quota: { ...(limit !== undefined && { limit }), ...(remaining !== undefined && { remaining }) },
    ...(seed !== undefined && { seed }),
    ...(host !== undefined && { host }),
    ...(profile && { profile }),
    ...(now !== undefined && { now }),
    ...(quotaZone !== undefined && { choices: { quotaZone } }),
    ...(operatorPort !== undefined && { operatorPort }),
    ...(trustProxy && { trustedProxies: trustProxy }),
    ...ownCertificate(flags),
  };
  makeOutFolder(dataDir, '--data');
  try {
    return await startService(options);
  } catch (error) {
    throw startTrouble(error, flags);
  }
}

function readAddress(text: string): string {
  if (isIP(text) === 0)
    throw new UsageError(`--trust-proxy: "${text}" is no address: give one such as 10.0.0.7`);
  return text;
}

function readPort(text: string, flag: string): number {
  const port = wholeAbove(-1, text, flag);
  if (port > 65_535) throw new UsageError(`${flag}: ${port} is no port: give 0 to 65535`);
  return port;
}
