import { type Choices, choicesWith } from './api/choices.ts';
import { ClosedRows } from './api/closed-rows.ts';
import type { Distortion } from './api/distortion.ts';
import { type Profile, SHAPE } from './api/profiles.ts';
import type { Logger, Service } from './api/service.ts';
import { Simulation } from './market/simulation.ts';
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

const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/**
 * A service on a store: on the data that was brought in, or else on the simulated market of its profile.
 * Throws UnusableChoice, SeedMismatch or MarketMismatch.
 */
export function assembled(parts: Parts): Service {
  const { store, profile = 'documented', clock, logger = SILENT } = parts;
  const { choices, distortions } = SHAPE[profile];
  return {
    store,
    simulation: simulationOf(parts),
    closedRows: new ClosedRows(),
    choices: choicesWith({ ...choices, ...parts.choices }),
    distortions:
      distortions.length === 0 ? parts.distortions : () => [...distortions, ...parts.distortions()],
    logger,
    clock,
  };
}

function simulationOf({ store, profile = 'documented', clock, seed, days }: Parts): Service['simulation'] {
  if (store.facts.fact('ingested') !== undefined) return { extendTo: () => {} };
  const now = Math.floor(clock() / 1000);
  const { market } = SHAPE[profile];
  return new Simulation(store, { now, days, market, ...(seed === undefined ? {} : { seed }) });
}
