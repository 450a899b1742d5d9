import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { isRefusal, isTurnedAway, isUnconnected } from './sending.ts';

/** Requests of one operation given up before the rest of them are spared. */
const givenUpAtMost = 2;

/** Counts the requests that were given up by the role of their operation, and notices what fails all others too. */
export class GivenUpRoles {
  readonly #counts = new Map<OperationRole, number>();
  readonly #findRole: (exchange: Exchange) => OperationRole | undefined;

  /** @param findRole returns the role that an exchange was planned for */
  constructor(findRole: (exchange: Exchange) => OperationRole | undefined) {
    this.#findRole = findRole;
  }

  /** Returns whether the rest of a role's requests is spared. */
  has(role: OperationRole): boolean {
    return (this.#counts.get(role) ?? 0) >= givenUpAtMost;
  }

  /**
   * Adds a request that was given up with the last of these exchanges. Returns whether that fails all other requests too: a
   * connection that never came about, a refused key, or a spent quota.
   */
  add(role: OperationRole, exchanges: readonly Exchange[]): boolean {
    this.#counts.set(role, (this.#counts.get(role) ?? 0) + 1);
    const last = exchanges.at(-1);
    if (last === undefined) return false;
    const neverAnswered = exchanges.every((exchange) => exchange.response === undefined);
    const isForThis = isRefused(last) && exchanges.some(isKeyAccepted) && !this.#isKeyLost(exchanges);
    return (isTurnedAway(last) && !isForThis) || (neverAnswered && isUnconnected(last));
  }

  /**
   * Returns whether a key that was accepted is refused by now: for two roles since then, one of which it was accepted for.
   * A key that is refused for some requests alone is a fault, which the others show.
   */
  #isKeyLost(exchanges: readonly Exchange[]): boolean {
    const listRoles = (some: readonly Exchange[]): Set<OperationRole> =>
      new Set(some.flatMap((exchange) => this.#findRole(exchange) ?? []));
    const last = exchanges.findLastIndex(isKeyAccepted);
    const accepted = listRoles(exchanges.filter(isKeyAccepted));
    const since = exchanges.slice(last + 1).filter(({ request }) => request.credential === 'api-key');
    const refused = listRoles(since.filter(isRefused));
    return refused.size > 1 && [...refused].some((role) => accepted.has(role));
  }
}

function isRefused({ response }: Exchange): boolean {
  return isRefusal(response?.status ?? 0);
}

function isKeyAccepted({ request, response }: Exchange): boolean {
  return request.credential === 'api-key' && response?.status === 200;
}
