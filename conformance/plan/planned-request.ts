import type { NamedInterval } from '../../contract/document/roles.ts';
import type { PoolId } from '../../contract/document/spec.ts';
import type { Need } from '../../contract/law/needs.ts';
import type { Credential } from '../../contract/reading/exchange.ts';

/** A request that will be sent: a need, bound to a pool. Its times are known only once the target reported its own. */
export type PlannedRequest = {
  readonly need: Need;
  /** By its name in the document. */
  readonly operation: string;
  readonly pool?: PoolId;
  /** In place of the need's, where a document's interval is meant. */
  readonly interval?: NamedInterval;
  /** It is of the first pool of its operation: most is requested from that one. */
  readonly isFirst?: true | undefined;
  readonly credential: Exclude<Credential, 'unknown'>;
  /** Sent beside the others of its kind, all at once. */
  readonly together?: true | undefined;
};
