import type { TrafficOrigin } from '../../results/known-states.ts';
import type { PassedQuota } from '../judging/passing-quotas.ts';
import type { TrafficMinute } from '../judging/traffic-minute.ts';
import type { Passing } from './passing-slots.ts';

/** The stores that keep traffic beside its reports. */
export type KeeperPlan = {
  readonly results?: { readonly folder: string; readonly passing: Passing };
  /** A file, or the URL of a database, which may hold a password. */
  readonly ledger?: { readonly file: string } | { readonly url: string };
};

export type KeptPart = keyof KeeperPlan;

export type ToKeeper =
  | { readonly kind: 'origin'; readonly origin: TrafficOrigin }
  | { readonly kind: 'minute'; readonly minute: TrafficMinute }
  | { readonly kind: 'quota'; readonly quota: PassedQuota }
  | { readonly kind: 'close' };

/** Each message is answered once; before the first, whether what is planned can be opened. */
export type FromKeeper =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly part: KeptPart; readonly reason: string }
  | { readonly kind: 'kept'; readonly part: KeptPart }
  | { readonly kind: 'lost'; readonly part: KeptPart; readonly reason: string };
