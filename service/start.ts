import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainAddress } from './api/admission/client-address.ts';
import type { Choices } from './api/choices.ts';
import { createListener, LIMITS, type Listener } from './api/listener.ts';
import type { Profile } from './api/profiles.ts';
import type { Logger, Service } from './api/service.ts';
import { assembled } from './assemble.ts';
import { keptCertificate } from './certificate.ts';
import { SwitchedFaults } from './faults/bending/switched.ts';
import { FAULTS } from './faults/registry.ts';
import { clockFrom, type Instant } from './instant.ts';
import { keptKey, type WantedQuota } from './kept-key.ts';
import { type Operated, type OperatorPort, openOperatorPort } from './operator-port.ts';
import type { KeyAllowance } from './store/key-store.ts';
import { openStore, type Store } from './store/store.ts';

export type ServiceOptions = {
  /** Folder of the store, the certificate and the key; made when missing. Left out, all is gone when it closes. */
  readonly dataDir?: string;
  /** The folder is removed after its only use: nothing in it is made safe against a power cut. */
  readonly passing?: true;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** A second port, on loopback alone: readiness, faults, network reset. 0 takes any free one. */
  readonly operatorPort?: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Of the simulated market; left out, a new store takes 1 and an old one keeps its own. */
  readonly seed?: number;
  /** Age in days of a market that is built now. */
  readonly historyDays?: number;
  /** May lead anywhere, and a clock of one's own back and forth: nothing of its future is served. */
  readonly now?: Instant;
  /** `caPem` is what clients trust: the certificate itself where it is left out. */
  readonly certificate?: { readonly certPem: string; readonly keyPem: string; readonly caPem?: string };
  /** Names or F-numbers. */
  readonly faults?: readonly string[];
  /** Whose behaviour it shows; `documented` unless set otherwise. Choices and faults come on top. */
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  /** Of the service's own key. */
  readonly quota?: WantedQuota;
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
  /** Where it hears its operator, if it does. */
  readonly operatorUrl?: string;
  /** What it wants there as bearer token from anyone who changes something. */
  readonly operatorToken?: string;
  /** Puts exactly these faults in force, from the next request on. Throws UnknownFault. */
  switchFaults(ids: readonly string[]): void;
  /** Begins the simulated network anew: the same pools under the same ids, without any history. */
  resetNetwork(): void;
  /** Issues a further key; its text is returned only here. */
  issueKey(allowance: KeyAllowance): string;
  /** Stops listening, answers what has begun, hangs up on the rest after `graceMs` (0 unless set) and closes the store. */
  close(graceMs?: number): Promise<void>;
};

const MARKET_DAYS = 37;

/**
 * Starts the reference service on its store in `dataDir`, which holds the data that was brought in, or is
 * filled with the simulated market up to now.
 * Throws UnknownFault, UnusableChoice, UnreadableInstant, SeedMismatch, MarketMismatch, UnreadableStore, or what
 * listening on a port throws.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'candleproof-')), logger } = options;
  const { passing = options.dataDir === undefined } = options;
  const store = openStore(dataDir, (err) => logger?.error({ err }, 'counts are not written yet'), passing);
  const end = (): void => {
    store.close();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return await begun(store, dataDir, options, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function begun(
  store: Store,
  dataDir: string,
  options: ServiceOptions,
  end: () => void,
): Promise<RunningService> {
  const faults = new SwitchedFaults(options.faults ?? []);
  const service = serviceOn(store, options, faults);
  const apiKeyFile = join(dataDir, 'api-key');
  const month = service.quotaCalendar.month(service.clock()).name;
  const apiKey = keptKey(store, apiKeyFile, options.quota ?? {}, month);
  const { caPem, listener } = await openListener(service, join(dataDir, 'certificate'), options);
  const { address, family, port } = await listening(listener.port, options);
  service.logger.info({ port }, 'listening');
  const control = controlOf(service, faults);
  const operator = await openedOperator(control, listener, options.operatorPort);
  return {
    url: `https://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    apiKey,
    apiKeyFile,
    caPem,
    ...poolNumbers(store),
    ...(operator && { operatorUrl: operator.url, operatorToken: operator.token }),
    switchFaults: control.switchFaults,
    resetNetwork: control.resetNetwork,
    issueKey: (allowance) => store.keys.issue(allowance, { now: service.clock() }),
    close: async (graceMs = 0) => {
      control.stop();
      await listener.stop(graceMs);
      await operator?.close();
      end();
    },
  };
}

function serviceOn(store: Store, options: ServiceOptions, faults: SwitchedFaults): Service {
  const { now, historyDays: days = MARKET_DAYS, ...rest } = options;
  const clock = clockFrom(now);
  const service = assembled({ ...rest, store, distortions: () => faults.distortions, clock, days });
  service.market.extendTo(Math.floor(clock() / 1000));
  return service;
}

function controlOf(service: Service, faults: SwitchedFaults): Operated & { stop(): void } {
  let stopping = false;
  return {
    stop: () => {
      stopping = true;
    },
    unready: () => (stopping ? 'stopping' : undefined),
    faults: () => ({
      known: FAULTS.map(({ id, number, title, sizes }) => ({ id, number, title, ...(sizes && { sizes }) })),
      on: faults.on,
    }),
    switchFaults: (ids) => faults.switch(ids),
    resetNetwork: () => service.market.reset(Math.floor(service.clock() / 1000)),
  };
}

async function openedOperator(
  control: Operated,
  listener: Listener,
  port: number | undefined,
): Promise<OperatorPort | undefined> {
  if (port === undefined) return undefined;
  try {
    return await openOperatorPort(control, port);
  } catch (error) {
    await listener.stop(0);
    throw error;
  }
}

async function openListener(
  service: Service,
  folder: string,
  { certificate, trustedProxies = [] }: ServiceOptions,
): Promise<{ caPem: string; listener: Listener }> {
  const trusted = new Set(trustedProxies.map((each) => plainAddress(each) ?? each));
  const { caPem, ...own } = certificate
    ? { caPem: certificate.certPem, ...certificate }
    : await keptCertificate(folder);
  return { caPem, listener: createListener(service, own, LIMITS, trusted) };
}

function listening(server: Server, { port = 0, host = '127.0.0.1' }: ServiceOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function poolNumbers(store: Store): { poolsV1: number[]; poolsV2: number[] } {
  const numbers = (wanted: string): number[] =>
    store.facts.pools().flatMap(({ generation, id }) => (generation === wanted ? [id] : []));
  return { poolsV1: numbers('v1'), poolsV2: numbers('v2') };
}
