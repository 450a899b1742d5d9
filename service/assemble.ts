import { Pacing } from './api/admission/pacing.ts';
import { QuotaCalendar } from './api/admission/quota.ts';
import { WrongKeys } from './api/admission/wrong-keys.ts';
import { type Choices, choicesWith } from './api/choices.ts';
import { ClosedRows } from './api/closed-rows.ts';
import type { Distortion } from './api/distortion.ts';
import { KeptAnswers } from './api/kept-answers.ts';
import { type Profile, SHAPE } from './api/profiles.ts';
import type { LiveMarket, Logger, Service } from './api/service.ts';
import { simulationOn } from './market/simulation.ts';
import { after, type Soon } from './soon.ts';
import type { MarketState } from './store/market-change.ts';
import type { SqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** What a service is put together from. */
export type Parts = {
  readonly store: Store;
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  /** In force after those of the profile. */
  readonly distortions: () => readonly Distortion[];
  /** Milliseconds. */
  readonly clock: () => number;
  readonly seed?: number;
  /** Age in days of a market that is built now. */
  readonly days: number;
  readonly logger?: Logger;
};

/** There is no simulated network that could begin anew. */
export class NotSimulated extends Error {
  override readonly name = 'NotSimulated';
}

const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/**
 * A service on a store: on the data that was brought in, or else on the simulated market of its profile.
 * Throws UnusableChoice, SeedMismatch or MarketMismatch.
 */
export function assembled(parts: Parts & { readonly store: SqliteStore }): Service;
export function assembled(parts: Parts): Soon<Service>;
export function assembled(parts: Parts): Soon<Service> {
  return after(marketOf(parts), (market) => serviceWith(parts, market));
}

function serviceWith(parts: Parts, market: LiveMarket): Service {
  const { store, profile = 'documented', clock, logger = SILENT } = parts;
  const { distortions, network } = SHAPE[profile];
  const choices = choicesWith({ ...SHAPE[profile].choices, ...parts.choices });
  return {
    store,
    network,
    market,
    closedRows: new ClosedRows(),
    keptAnswers: new KeptAnswers(),
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

function marketOf({ store, profile = 'documented', clock, seed, days }: Parts): Soon<LiveMarket> {
  return after<MarketState, LiveMarket>(store.state(), ({ facts }) => {
    if (facts.has('ingested')) return { extendTo: () => {}, reset: refuseReset };
    const now = Math.floor(clock() / 1000);
    const { market } = SHAPE[profile];
    return simulationOn(store, { now, days, market, ...(seed === undefined ? {} : { seed }) });
  });
}

function refuseReset(): never {
  throw new NotSimulated('The market was brought in: only a simulated network can begin anew.');
}
