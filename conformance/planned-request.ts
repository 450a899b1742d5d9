import type { Credential } from '../contract/exchange.ts';
import type { Need } from '../contract/rule.ts';

/** A request that will be sent: a need, bound to a pool. Its times are known only once the target told its own. */
export type PlannedRequest = {
  readonly need: Need;
  readonly pool?: number;
  readonly credential: Exclude<Credential, 'unknown'>;
  /** Sent beside the others of its kind, all at once. */
  readonly together?: true | undefined;
};
