import type { QuotaHeaders } from '../../contract/document/roles.ts';
import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import { readSuccessQuota, type WholeQuota } from '../../contract/reading/quota.ts';
import { accountId } from '../../http/ledger/ledger-store.ts';

/** The newest counters of a key that passed: the key by its account's name alone, and the service's time, Unix ms. */
export type PassedQuota = { readonly account: string; readonly at?: number; readonly quota: WholeQuota };

/** Least time in ms between two readings of a key that are handed on. */
const handOnEvery = 1000;

/** Keys whose counters are followed: clients may have any number. */
const mostKeys = 100;

type Followed = { newest: PassedQuota | undefined; handedOn: number };

/** Follows the counters of keys as answers pass. */
export class PassingQuotas {
  readonly #names: QuotaHeaders;
  readonly #baseUrl: string;
  readonly #accounts = new Map<string, Followed>();

  constructor(names: QuotaHeaders, baseUrl: string) {
    this.#names = names;
    this.#baseUrl = baseUrl;
  }

  /** An answer that the target gave to a key. */
  note(key: string, exchange: Exchange): void {
    const quota = readSuccessQuota(this.#names, exchange);
    if (!quota) return;
    const account = accountId(this.#baseUrl, key);
    const known = this.#accounts.get(account);
    if (!known && this.#accounts.size >= mostKeys) return;
    const date = Date.parse(headerValues(exchange.response?.headers ?? [], 'date')[0] ?? '');
    const newest = { account, quota, ...(!Number.isNaN(date) && { at: date }) };
    this.#accounts.set(account, { newest, handedOn: known?.handedOn ?? Number.NEGATIVE_INFINITY });
  }

  /** Returns the new quotas, once a second for every key at most; all of them at the end. `now` in Unix ms. */
  take(now: number, isEnd = false): PassedQuota[] {
    return [...this.#accounts.values()].flatMap((account) => {
      const { newest } = account;
      const isEarly = now >= account.handedOn && now - account.handedOn < handOnEvery;
      if (!newest || (isEarly && !isEnd)) return [];
      account.newest = undefined;
      account.handedOn = now;
      return [newest];
    });
  }
}
