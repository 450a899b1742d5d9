import type { HeardExchange, WholeExchange } from '../heard.ts';
import type { ClientBreach } from './client-rule.ts';

/** On its way for so long (ms), at most, was what arrives over another connection than the answer went out on. */
const mostOnItsWay = 500;

/**
 * Was the request sent before its client could know of the answer? What arrived before the answer had left was; so was,
 * for half a second, what comes over another connection, or requests something else that waited for this connection.
 */
export function wasInFlight(request: HeardExchange, answer: WholeExchange): boolean {
  if (request.arrived <= answer.ended) return true;
  if (request.arrived > answer.ended + mostOnItsWay) return false;
  return request.connection !== answer.connection || request.target !== answer.target;
}

/** A request that came too early after an answer that its client knew of. */
export function tooEarly(exchange: HeardExchange, since: WholeExchange, expected: string): ClientBreach {
  const after = ((exchange.arrived - since.ended) / 1000).toFixed(2);
  return { exchange, since, expected, actual: `a request ${after} s after it` };
}
