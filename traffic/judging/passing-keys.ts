import type { Credential } from '../../contract/reading/exchange.ts';
import { OTHER_KEY } from '../../http/secrets/recorded-keys.ts';

/**
 * Tells whose counters an answer shows. The law concerns the first key that the target accepts, until it has not been
 * seen for a whole window; answers to other keys are judged one by one and compared with nothing.
 */
export class PassingKeys {
  readonly #patience: number;
  #ours: string | undefined;
  #lastSeen = 0;

  /** @param patience exchanges after which a key that is no longer used makes place for another */
  constructor(patience: number) {
    this.#patience = patience;
  }

  credentialOf(key: string | undefined, isAccepted: boolean, ordinal: number): Credential {
    if (key === undefined) return 'none';
    const isFree = this.#ours === undefined || ordinal - this.#lastSeen > this.#patience;
    if (isFree && isAccepted) this.#ours = key;
    if (key !== this.#ours) return OTHER_KEY;
    this.#lastSeen = ordinal;
    return 'api-key';
  }
}
