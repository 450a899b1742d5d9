import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { Choices } from './api/choices.ts';
import { createListener } from './api/listener.ts';
import type { Profile } from './api/profiles.ts';
import type { Logger, Service } from './api/service.ts';
import { assembled } from './assemble.ts';
import { keptCertificate } from './certificate.ts';
import { distortionsOf } from './faults/registry.ts';
import { keptKey } from './kept-key.ts';
import type { Allowance } from './store/key-store.ts';
import { openStore, type Store } from './store/store.ts';

export type ServiceOptions = {
  /** Folder of the database, the certificate and the key; made when missing. */
  readonly dataDir: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Of the simulated market; left out, a new store takes 1 and an old one keeps its own. */
  readonly seed?: number;
  /** Age in days of a market that is built now. */
  readonly historyDays?: number;
  /** Milliseconds. May be moved both ways between requests: nothing of its future is served. */
  readonly clock?: () => number;
  readonly certificate?: { readonly certPem: string; readonly keyPem: string };
  /** Names or F-numbers. */
  readonly faults?: readonly string[];
  /** Whose behaviour it shows; `documented` unless told otherwise. Choices and faults come on top. */
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  readonly quotaLimit?: number;
  readonly quotaRemaining?: number;
  readonly logger?: Logger;
};

export type RunningService = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  /** File that holds the key, for its owner only. */
  readonly apiKeyFile: string;
  /** What a client must trust: our authority, or the given certificate itself. */
  readonly caPem: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
  /** Puts exactly these faults in force, from the next request on. */
  switchFaults(ids: readonly string[]): void;
  /** Issues a further key; its text is returned only here. */
  issueKey(allowance: Allowance): string;
  /** Stops listening, drops all connections and closes the store. */
  close(): Promise<void>;
};

const MARKET_DAYS = 37;

/**
 * Starts the reference service on its store in `dataDir`, which holds the data that was brought in, or is
 * filled with the simulated market up to now.
 * Throws UnknownFault, UnusableChoice, SeedMismatch, MarketMismatch, UnreadableStore, or what listening on the port throws.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  let distortions = distortionsOf(options.faults ?? []);
  const store = openStore(options.dataDir);
  try {
    const service = begun(store, options, () => distortions);
    const apiKeyFile = join(options.dataDir, 'api-key');
    const apiKey = keptKey(store, apiKeyFile, wantedAllowance(options, service));
    const { caPem, listener } = await openListener(service, options);
    const connections = connectionsOf(listener);
    const { address, family, port } = await listening(listener, options);
    service.logger.info({ port }, 'listening');
    return {
      url: `https://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
      apiKey,
      apiKeyFile,
      caPem,
      ...poolNumbers(store),
      switchFaults: (ids) => {
        distortions = distortionsOf(ids);
      },
      issueKey: (allowance) => store.keys.issue(allowance),
      close: () => closed(listener, connections, store),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function begun(store: Store, options: ServiceOptions, distortions: Service['distortions']): Service {
  const { clock = Date.now, historyDays: days = MARKET_DAYS, ...rest } = options;
  const service = assembled({ ...rest, store, distortions, clock, days });
  service.simulation.extendTo(Math.floor(clock() / 1000));
  return service;
}

function wantedAllowance(options: ServiceOptions, service: Service): Parameters<typeof keptKey>[2] {
  const { quotaLimit, quotaRemaining } = options;
  return {
    now: service.clock(),
    utcOffsetMinutes: service.choices.quotaMonthUtcOffsetMinutes,
    ...(quotaLimit === undefined ? {} : { quotaLimit }),
    ...(quotaRemaining === undefined ? {} : { quotaRemaining }),
  };
}

async function openListener(
  service: Service,
  { certificate, dataDir }: ServiceOptions,
): Promise<{ caPem: string; listener: Server }> {
  if (certificate) return { caPem: certificate.certPem, listener: createListener(service, certificate) };
  const kept = await keptCertificate(join(dataDir, 'certificate'));
  return { caPem: kept.caPem, listener: createListener(service, kept) };
}

function listening(listener: Server, { port = 0, host = '127.0.0.1' }: ServiceOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      resolve(listener.address() as AddressInfo);
    });
  });
}

function connectionsOf(listener: Server): Set<Socket> {
  const open = new Set<Socket>();
  listener.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function closed(listener: Server, connections: Set<Socket>, store: Store): Promise<void> {
  const stopped = new Promise<void>((resolve) => listener.close(() => resolve()));
  for (const socket of connections) socket.destroy();
  await stopped;
  store.close();
}

function poolNumbers(store: Store): { poolsV1: number[]; poolsV2: number[] } {
  const numbers = (wanted: string): number[] =>
    store.facts.pools().flatMap(({ generation, id }) => (generation === wanted ? [id] : []));
  return { poolsV1: numbers('v1'), poolsV2: numbers('v2') };
}
