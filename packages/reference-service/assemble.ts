import { Pacing, WrongKeys } from './api/admission/pacing.ts';
import { QuotaCalendar } from './api/admission/quota.ts';
import { AnswerCache } from './api/answer-cache.ts';
import { type Choices, choicesWith, UnusableChoice } from './api/choices.ts';
import { ClosedRows } from './api/closed-rows.ts';
import type { Distortion } from './api/distortion.ts';
import type { JsonObject } from './api/message.ts';
import type { LiveMarket, Logger, Service } from './api/service.ts';
import { MAINNET, type Market, TESTNET } from './market/pools.ts';
import { openSimulation } from './market/simulation.ts';
import { type Soon, thenSoon } from './soon.ts';
import type { Network } from './store/accounts.ts';
import type { SqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';
import type { MarketState } from './store/stored-market.ts';

/** The parts of a service. */
export type Parts = {
  readonly store: Store;
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  /** Applied after those of the profile. */
  readonly distortions: () => readonly Distortion[];
  /** Milliseconds. */
  readonly clock: () => number;
  readonly seed?: number;
  /** Age in days of a newly simulated market. */
  readonly days: number;
  readonly logger?: Logger;
};

/** Thrown if a reset is requested for a network that is not simulated. */
class NotSimulated extends Error {
  override readonly name = 'NotSimulated';
}

const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/**
 * Creates a service on a store, with its ingested data or else the simulated market of the profile.
 * Throws UnusableChoice, SeedMismatch or MarketMismatch.
 */
export function assembleService(parts: Parts & { readonly store: SqliteStore }): Service;
export function assembleService(parts: Parts): Soon<Service>;
export function assembleService(parts: Parts): Soon<Service> {
  const { profile = 'documented', seed = 0 } = parts;
  if (!PROFILES.includes(profile))
    throw new UnusableChoice(`There is no profile "${profile}": take ${PROFILES.join(', ')}.`);
  if (!Number.isSafeInteger(seed))
    throw new UnusableChoice(`seed: ${seed} is no whole number: give one such as 7.`);
  return thenSoon(openMarket(parts), (market) => createService(parts, market));
}

function createService(parts: Parts, market: LiveMarket): Service {
  const { store, profile = 'documented', clock, logger = SILENT } = parts;
  const { distortions, network, choices: usual } = PROFILE_SHAPES[profile];
  const choices = choicesWith({ ...usual, ...parts.choices });
  return {
    store,
    network,
    market,
    closedRows: new ClosedRows(),
    answerCache: new AnswerCache(),
    quotaCalendar: new QuotaCalendar(choices.quotaZone),
    bursts: new Pacing(),
    wrongKeys: new WrongKeys(),
    choices,
    distortions:
      distortions.length === 0 ? parts.distortions : () => [...distortions, ...parts.distortions()],
    logger,
    clock,
  };
}

function openMarket({ store, profile = 'documented', clock, seed, days }: Parts): Soon<LiveMarket> {
  return thenSoon<MarketState, LiveMarket>(store.state(), ({ facts }) => {
    if (facts.has('ingested')) return { extendTo: () => {}, reset: refuseReset };
    const now = Math.floor(clock() / 1000);
    const { market } = PROFILE_SHAPES[profile];
    return openSimulation(store, { now, days, market, seed });
  });
}

function refuseReset(): never {
  throw new NotSimulated('The market was brought in: only a simulated network can begin anew.');
}

/**
 * Sets of behavior: exactly the document's, the live API's with its known departures from the document, or the test
 * network's.
 */
export const PROFILES = ['documented', 'observed', 'testnet'] as const;

export type Profile = (typeof PROFILES)[number];

/** The settings of a profile. The caller's choices and faults are applied on top. */
export type ProfileShape = {
  readonly choices: Partial<Choices>;
  readonly distortions: readonly Distortion[];
  readonly market: Market;
  readonly network: Network;
};
const IMAGES = 'https://images.example';

/** Averages that are sums over time, and tokens whose icons and flags have undocumented types. */
const asObserved: Distortion = {
  candle: (candle) => ({
    ...candle,
    avg: candle.close * (candle.timestampSeconds - candle.startTimestampSeconds),
  }),
  tokens: (tokens) => tokens.map(observedToken),
};

const PROFILE_SHAPES: Readonly<Record<Profile, ProfileShape>> = {
  documented: { choices: {}, distortions: [], market: MAINNET, network: 'mainnet' },
  observed: {
    choices: { openEnd: 'last-sample', extraFields: true, quotaZone: 'Etc/GMT+4' },
    distortions: [asObserved],
    market: MAINNET,
    network: 'mainnet',
  },
  testnet: { choices: { keyRequired: false }, distortions: [], market: TESTNET, network: 'testnet' },
};

function observedToken(token: JsonObject, index: number): JsonObject {
  return {
    ...token,
    icon: index % 2 === 0 ? null : `${IMAGES}${token.icon}`,
    dueDiligenceComplete: Number(token.dueDiligenceComplete),
    isFeeOnTransferToken: Number(token.isFeeOnTransferToken),
  };
}
