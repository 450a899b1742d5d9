import type { GuessesEnded } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { includesTrial, nearMisses, type Trial } from '@candleproof/law/rules/error-cases';
import type { PlannedRequest } from '../plan/planned-request.ts';

/** Wrong keys that say nothing of guessing: none at all, and text that a firewall may refuse by itself. */
const unlike: readonly Trial[] = ['empty', 'wildcards', 'very-long'];

/**
 * Watches how a target refuses requests without the run's key. One that answers 429, or refuses a wrong key otherwise than those
 * before, has begun to defend itself: no more are sent, and nothing after them either, since the run's key may be locked out
 * as well.
 */
export class Guesses {
  #tried = 0;
  #status: number | undefined;
  #ended: GuessesEnded | undefined;

  get ended(): GuessesEnded | undefined {
    return this.#ended;
  }

  /** Returns whether a request is no longer sent. */
  excludes({ need, credential }: PlannedRequest): boolean {
    return this.#ended !== undefined && (credential !== 'api-key' || need.range === 'after now');
  }

  /** Notes the answer to a request. */
  note({ need: { trial }, credential }: PlannedRequest, { response }: Exchange): void {
    if (credential === 'api-key' || trial === 'other-key' || trial === 'header-in-capitals' || !response)
      return;
    this.#tried += 1;
    const { status } = response;
    const isGuess = trial !== undefined && includesTrial(nearMisses, trial) && !unlike.includes(trial);
    const isAlike = isGuess && status >= 400 && status < 500;
    const isChanged = isAlike && this.#status !== undefined && this.#status !== status;
    if (status === 429 || isChanged) this.#ended = { status, tried: this.#tried };
    else if (isAlike) this.#status = status;
  }
}
