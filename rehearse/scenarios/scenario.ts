import type { Requested } from '../../contract/reading/requested.ts';
import type { Distortion } from '../../service/api/distortion.ts';
import type { ServiceOptions } from '../../service/start.ts';
import type { WholeExchange } from '../client-exchange.ts';
import type { Trouble } from './trouble.ts';

/** The control is undisturbed, a trouble passes, and wrong data needs an expectation. */
export type ScenarioKind = 'control' | 'trouble' | 'wrong data';

/** The double's settings for one scenario, made anew for every play. */
export type Staging = {
  readonly quota?: NonNullable<ServiceOptions['quota']>;
  readonly faults?: readonly string[];
  readonly distortion?: Distortion;
  readonly trouble?: Trouble;
};

/** A difficulty that the double plays to a client. */
export type ClientScenario = {
  readonly id: string;
  readonly title: string;
  readonly kind: ScenarioKind;
  /** Makes the settings; a trouble begins with the `first` request, the second where left out. */
  readonly stage: (first?: number) => Staging;
  /** Time (ms) that the trouble lasts. */
  readonly lasts?: number;
  /** Rules that a trouble tests; if none of them was judged, the scenario is inconclusive. */
  readonly about?: readonly string[];
  /** Returns whether a good answer has wrong data; `before` has the earlier answers of the same path. */
  readonly isWrong?: (
    requested: Requested,
    answer: WholeExchange,
    before: readonly WholeExchange[],
  ) => boolean;
};
