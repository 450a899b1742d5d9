import { accountId } from '@candleproof/client/ledger/ledger-store';
import type { QuotaHeaders } from '@candleproof/document/spec/roles';
import { type Exchange, headerValues } from '@candleproof/law/reading/exchange';
import { readSuccessQuota, type WholeQuota } from '@candleproof/law/reading/quota';

/** The newest counters of a passed key: `account` replaces the key, `at` is the service's time in Unix ms. */
export type PassedQuota = { readonly account: string; readonly at?: number; readonly quota: WholeQuota };

/** Least time in ms between two reported readings of a key. */
const handOnEvery = 1000;

/** Most keys whose counters are followed: clients may have any number. */
const mostKeys = 100;

type Followed = { newest: PassedQuota | undefined; handedOn: number };

/** Follows the counters of keys in passing answers. */
export class PassingQuotas {
  readonly #names: QuotaHeaders;
  readonly #baseUrl: string;
  readonly #accounts = new Map<string, Followed>();

  constructor(names: QuotaHeaders, baseUrl: string) {
    this.#names = names;
    this.#baseUrl = baseUrl;
  }

  /** Reads the counters in an answer to a request with a key. */
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

  /** Returns the new quotas, at most once a second for each key; all of them at the end. `now` in Unix ms. */
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
