import type { GuessesEnded } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { includesTrial, nearMisses, type Trial } from '@candleproof/law/rules/error-cases';
import type { PlannedRequest } from '../plan/planned-request.ts';

/** Wrong keys that say nothing of guessing: none at all, and text that a firewall may refuse by itself. */
const unlike: readonly Trial[] = ['empty', 'wildcards', 'very-long'];

/**
 * Watches how a target refuses wrong keys. One that answers 429, or refuses a key otherwise than those before, has begun to
 * defend itself: no more are tried, and nothing after them either, since the run's key may be locked out as well.
 */
export class Guesses {
  #tried = 0;
  #status: number | undefined;
  #ended: GuessesEnded | undefined;

  get ended(): GuessesEnded | undefined {
    return this.#ended;
  }

  /** Returns whether a request is no longer sent. */
  excludes({ need }: PlannedRequest): boolean {
    return this.#ended !== undefined && (need.trial !== undefined || need.range === 'after now');
  }

  /** Notes the answer to a request. */
  note({ need: { trial } }: PlannedRequest, { response }: Exchange): void {
    if (trial === undefined || trial === 'other-key' || trial === 'header-in-capitals' || !response) return;
    this.#tried += 1;
    const { status } = response;
    const isAlike =
      includesTrial(nearMisses, trial) && !unlike.includes(trial) && status >= 400 && status < 500;
    const isChanged = isAlike && this.#status !== undefined && this.#status !== status;
    if (status === 429 || isChanged) this.#ended = { status, tried: this.#tried };
    else if (isAlike) this.#status = status;
  }
}
