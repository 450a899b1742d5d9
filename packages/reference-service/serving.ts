import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { normalizeAddress } from './api/admission/pacing.ts';
import type { Choices } from './api/choices.ts';
import type { Distortion } from './api/distortion.ts';
import { createListener, LIMITS, type Listener, type RequestWitness } from './api/listener.ts';
import type { Logger, Service } from './api/service.ts';
import type { Profile } from './assemble.ts';
import { assembleService } from './assemble.ts';
import { loadOrCreateCertificate } from './certificate.ts';
import { FAULTS, SwitchedFaults } from './faults/registry.ts';
import { createClock, type Instant } from './instant.ts';
import { type OperatedService, type OperatorPort, openOperatorPort } from './operator-port.ts';
import { loadOrIssueKey, type WantedQuota } from './service-key.ts';
import type { Store } from './store/store.ts';
import type { StoredPool } from './store/stored-market.ts';

/** Settings of a service on any store. */
export type ServingOptions = {
  /** 0, the default, selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Serves plain HTTP besides, and names it in `url`. */
  readonly http?: boolean;
  /** A second port on loopback for readiness, faults and network reset. 0 selects a free port. */
  readonly operatorPort?: number;
  /** Addresses of proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Seed of the simulated market. Defaults to 1 for a new store, and to the seed of an existing one. */
  readonly seed?: number;
  /** Age in days of a newly simulated market. */
  readonly historyDays?: number;
  /** The service's time, which may go back and forth; data after it is not served. */
  readonly now?: Instant;
  /** `caPem` is the authority that clients trust; defaults to the certificate itself. */
  readonly certificate?: { readonly certPem: string; readonly keyPem: string; readonly caPem?: string };
  /** Ids or F-numbers of faults. */
  readonly faults?: readonly string[];
  /** Defaults to `documented`. Choices and faults are applied on top. */
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  /** Quota of the service's key. */
  readonly quota?: WantedQuota;
  /** Further distortions, applied after the faults; the list is read anew for each request. */
  readonly troubles?: readonly Distortion[];
  /** Observes every request with its reply. */
  readonly witness?: RequestWitness;
  readonly logger?: Logger;
};

export type ServingService = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  /** File with the key, readable by its owner only. */
  readonly apiKeyFile: string;
  /** The authority that clients must trust, or the given certificate itself. */
  readonly caPem: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
  /** URL of the operator port, if it is open. */
  readonly operatorUrl?: string;
  /** Bearer token for changes through the operator port. */
  readonly operatorToken?: string;
  /** Stops listening, finishes pending requests, closes connections after `graceMs` (default 0), and closes the store. */
  close(graceMs?: number): Promise<void>;
};

const MARKET_DAYS = 37;

/** A running service with its controls inside the process. */
export type BegunService = {
  readonly service: Service;
  readonly serving: ServingService;
  readonly control: Pick<OperatedService, 'switchFaults' | 'resetNetwork'>;
};

/**
 * Serves the data of a store, or fills it with the simulated market up to now. Key and certificate are in `dataDir`.
 * Calls `end` after the last answer. Throws what startService throws.
 */
export async function serve(
  store: Store,
  dataDir: string,
  options: ServingOptions,
  end: () => void | Promise<void>,
): Promise<BegunService> {
  const faults = new SwitchedFaults(options.faults ?? []);
  const service = await openService(store, options, faults);
  const apiKeyFile = join(dataDir, 'api-key');
  const month = service.quotaCalendar.month(service.clock()).name;
  const apiKey = await store.runExclusively(() =>
    loadOrIssueKey(store, apiKeyFile, options.quota ?? {}, month),
  );
  const { caPem, listener } = await openListener(service, join(dataDir, 'certificate'), options);
  const { address, family, port } = await listen(listener.port, options);
  service.logger.info({ port }, 'listening');
  const control = createControl(service, faults);
  const operator = await openOperator(control, listener, options.operatorPort);
  const serving: ServingService = {
    url: `${options.http ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    apiKey,
    apiKeyFile,
    caPem,
    ...poolNumbers((await store.state()).pools),
    ...(operator && { operatorUrl: operator.url, operatorToken: operator.token }),
    close: async (graceMs = 0) => {
      control.stop();
      await listener.stop(graceMs);
      await operator?.close();
      await end();
    },
  };
  return { service, serving, control };
}

/** Serves plain HTTP like HTTPS. */
const plainHttp: Distortion = { plainHttp: () => true };

async function openService(store: Store, options: ServingOptions, faults: SwitchedFaults): Promise<Service> {
  const { now, historyDays: days = MARKET_DAYS, http, troubles = [], ...rest } = options;
  const fixed = http ? [plainHttp] : [];
  const clock = createClock(now);
  const distortions = (): readonly Distortion[] =>
    troubles.length + fixed.length === 0
      ? faults.distortions
      : [...faults.distortions, ...troubles, ...fixed];
  const service = await assembleService({ ...rest, store, distortions, clock, days });
  await service.market.extendTo(Math.floor(clock() / 1000));
  await followSwitches(service, faults);
  return service;
}

/** Applies the faults that an operator switches at any process that shares the store. */
async function followSwitches(
  { store: { switches }, logger }: Service,
  faults: SwitchedFaults,
): Promise<void> {
  if (!switches) return;
  const follow = async (): Promise<void> => {
    const names = await switches.read();
    if (names && names.join() !== faults.on.join()) faults.switch(names);
  };
  switches.onChange(() => {
    follow().catch((err: unknown) => logger.error({ err }, 'switched faults are not known yet'));
  });
  // The faults that a process was started with stay on until an operator switches any.
  if (faults.on.length === 0) await follow();
}

function createControl(service: Service, faults: SwitchedFaults): OperatedService & { stop(): void } {
  const { store } = service;
  let stopping = false;
  return {
    stop: () => {
      stopping = true;
    },
    unready: () => (stopping ? 'stopping' : store.unreadyReason()),
    faults: () => ({
      known: FAULTS.map(({ id, number, title, sizes }) => ({ id, number, title, sizes })),
      on: faults.on,
    }),
    switchFaults: (ids) => {
      faults.switch(ids);
      return store.switches?.write(faults.on);
    },
    resetNetwork: () => service.market.reset(Math.floor(service.clock() / 1000)),
  };
}

async function openOperator(
  control: OperatedService,
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
  { certificate, trustedProxies = [], witness }: ServingOptions,
): Promise<{ caPem: string; listener: Listener }> {
  const trusted = new Set(trustedProxies.map((proxy) => normalizeAddress(proxy) ?? proxy));
  const { caPem, ...identity } = certificate
    ? { caPem: certificate.certPem, ...certificate }
    : await loadOrCreateCertificate(folder);
  return { caPem, listener: createListener(service, identity, LIMITS, trusted, witness) };
}

function listen(server: Server, { port = 0, host = '127.0.0.1' }: ServingOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function poolNumbers(pools: readonly StoredPool[]): { poolsV1: number[]; poolsV2: number[] } {
  const numbers = (wanted: string): number[] =>
    pools.flatMap(({ generation, id }) => (generation === wanted ? [id] : []));
  return { poolsV1: numbers('v1'), poolsV2: numbers('v2') };
}
