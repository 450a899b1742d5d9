import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { plainAddress } from './api/admission/client-address.ts';
import type { Choices } from './api/choices.ts';
import type { Distortion } from './api/distortion.ts';
import { createListener, LIMITS, type Listener, type RequestWitness } from './api/listener.ts';
import type { Profile } from './api/profiles.ts';
import type { Logger, Service } from './api/service.ts';
import { assembled } from './assemble.ts';
import { keptCertificate } from './certificate.ts';
import { SwitchedFaults } from './faults/bending/switched.ts';
import { FAULTS } from './faults/registry.ts';
import { clockFrom, type Instant } from './instant.ts';
import { keptKey, type WantedQuota } from './kept-key.ts';
import { type Operated, type OperatorPort, openOperatorPort } from './operator-port.ts';
import type { StoredPool } from './store/market-view.ts';
import type { Store } from './store/store.ts';

/** How a service is run, wherever its store is. */
export type ServingOptions = {
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
  /** Troubles of the caller's own, in force after the faults. */
  readonly troubles?: readonly Distortion[];
  /** Sees each request with its answer. */
  readonly witness?: RequestWitness;
  readonly logger?: Logger;
};

export type ServingService = {
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
  /** Stops listening, answers what has begun, hangs up on the rest after `graceMs` (0 unless set) and closes the store. */
  close(graceMs?: number): Promise<void>;
};

const MARKET_DAYS = 37;

/** A service that answers, and what may be done with it from inside its process. */
export type BegunService = {
  readonly service: Service;
  readonly serving: ServingService;
  readonly control: Pick<Operated, 'switchFaults' | 'resetNetwork'>;
};

/**
 * Serves what a store holds, or fills it with the simulated market up to now; key and certificate lie in `dataDir`.
 * `end` comes after the last answer. Throws what startService does.
 */
export async function serve(
  store: Store,
  dataDir: string,
  options: ServingOptions,
  end: () => void | Promise<void>,
): Promise<BegunService> {
  const faults = new SwitchedFaults(options.faults ?? []);
  const service = await serviceOn(store, options, faults);
  const apiKeyFile = join(dataDir, 'api-key');
  const month = service.quotaCalendar.month(service.clock()).name;
  const apiKey = await store.alone(() => keptKey(store, apiKeyFile, options.quota ?? {}, month));
  const { caPem, listener } = await openListener(service, join(dataDir, 'certificate'), options);
  const { address, family, port } = await listening(listener.port, options);
  service.logger.info({ port }, 'listening');
  const control = controlOf(service, faults);
  const operator = await openedOperator(control, listener, options.operatorPort);
  const serving: ServingService = {
    url: `https://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
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

async function serviceOn(store: Store, options: ServingOptions, faults: SwitchedFaults): Promise<Service> {
  const { now, historyDays: days = MARKET_DAYS, troubles = [], ...rest } = options;
  const clock = clockFrom(now);
  const distortions = (): readonly Distortion[] =>
    troubles.length === 0 ? faults.distortions : [...faults.distortions, ...troubles];
  const service = await assembled({ ...rest, store, distortions, clock, days });
  await service.market.extendTo(Math.floor(clock() / 1000));
  await followSwitches(service, faults);
  return service;
}

/** Where several processes share the store, what the operator switches at one of them is in force in all. */
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
  // What a process was started with holds in it until somebody switches anything.
  if (faults.on.length === 0) await follow();
}

function controlOf(service: Service, faults: SwitchedFaults): Operated & { stop(): void } {
  const { store } = service;
  let stopping = false;
  return {
    stop: () => {
      stopping = true;
    },
    unready: () => (stopping ? 'stopping' : store.unready()),
    faults: () => ({
      known: FAULTS.map(({ id, number, title, sizes }) => ({ id, number, title, ...(sizes && { sizes }) })),
      on: faults.on,
    }),
    switchFaults: (ids) => {
      faults.switch(ids);
      return store.switches?.write(faults.on);
    },
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
  { certificate, trustedProxies = [], witness }: ServingOptions,
): Promise<{ caPem: string; listener: Listener }> {
  const trusted = new Set(trustedProxies.map((each) => plainAddress(each) ?? each));
  const { caPem, ...own } = certificate
    ? { caPem: certificate.certPem, ...certificate }
    : await keptCertificate(folder);
  return { caPem, listener: createListener(service, own, LIMITS, trusted, witness) };
}

function listening(server: Server, { port = 0, host = '127.0.0.1' }: ServingOptions): Promise<AddressInfo> {
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
