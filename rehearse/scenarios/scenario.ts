import type { Requested } from '../../contract/document/requested.ts';
import type { Distortion } from '../../service/api/distortion.ts';
import type { ServiceOptions } from '../../service/start.ts';
import type { WholeExchange } from '../heard.ts';
import type { Trouble } from './trouble.ts';

/** The control shows the client undisturbed; a trouble passes; wrong data decides nothing without an expectation. */
export type ScenarioKind = 'control' | 'trouble' | 'wrong data';

/** What the double does for one scenario, made anew each time it is played. */
export type Staging = {
  readonly quota?: NonNullable<ServiceOptions['quota']>;
  readonly faults?: readonly string[];
  readonly distortion?: Distortion;
  readonly trouble?: Trouble;
};

/** A difficulty that is played to a client. */
export type ClientScenario = {
  readonly id: string;
  readonly title: string;
  readonly kind: ScenarioKind;
  readonly stage: () => Staging;
  /** Rules that a trouble puts to the test: where none of them judged anything, nothing was decided. */
  readonly about?: readonly string[];
  /** Of wrong data: this good answer held some; `before` it were the others of the same path. */
  readonly isWrong?: (
    requested: Requested,
    answer: WholeExchange,
    before: readonly WholeExchange[],
  ) => boolean;
};
