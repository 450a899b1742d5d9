import { headerValues } from '../../contract/reading/exchange.ts';
import { type HeardExchange, isAnswered, pathOfTarget, type WholeExchange } from '../heard.ts';
import type { ClientBreach, ClientRule, ClientSight } from './client-rule.ts';
import { tooEarly, wasInFlight } from './in-flight.ts';
import type { Play } from './play.ts';

/** Timers and clocks of both sides may differ by this (ms). */
const tolerance = 100;

type Refused = WholeExchange & { readonly waitMs: number };

/** A refusal that says for how many seconds to stay away. */
function refusalsOf({ exchanges }: Play): Refused[] {
  return exchanges.filter(isAnswered).flatMap((exchange) => {
    const [seconds = ''] = headerValues(exchange.answerHeaders, 'retry-after');
    const isRefused = exchange.status === 429 || exchange.status === 503;
    return isRefused && /^\d+$/.test(seconds) ? [{ ...exchange, waitMs: Number(seconds) * 1000 }] : [];
  });
}

function* check(play: Play): Generator<ClientSight> {
  const refusals = refusalsOf(play);
  if (refusals.length === 0) {
    yield { undecided: 'no answer said for how long to wait' };
    return;
  }
  for (const request of play.exchanges) {
    const before = refusals.filter((refusal) => refusal.ended < request.arrived);
    const early = unheeded(request, before);
    if (early) yield { breach: breachOf(request, early) };
    else if (before.length > 0) yield { judged: request };
  }
  if (refusals.every((refusal) => waited(refusal, play)))
    for (const judged of refusals.slice(0, 1)) yield { judged };
  else yield { undecided: 'the client ended before that time was over' };
}

/** A client that is silent to its end after a refusal has waited, if it lived for long enough. */
function waited(refusal: Refused, { ended }: Play): boolean {
  return ended > refusal.ended + refusal.waitMs;
}

/** What was refused itself heeds its own last refusal; anything else those that its client knows of. */
function unheeded(request: HeardExchange, before: readonly Refused[]): Refused | undefined {
  const isOver = (each: Refused): boolean => request.arrived >= each.ended + each.waitMs - tolerance;
  const same = before.findLast(({ target }) => target === request.target);
  // A range up to now is requested anew under another query.
  const alike = before.filter((each) => pathOfTarget(each) === pathOfTarget(request));
  if (same ? isOver(same) : alike.some(isOver)) return undefined;
  return before.find((each) => !isOver(each) && !wasInFlight(request, each));
}

function breachOf(request: HeardExchange, refusal: Refused): ClientBreach {
  return tooEarly(request, refusal, `no request for ${refusal.waitMs / 1000} s after the ${refusal.status}`);
}

export const waitsAsRetryAfterSays: ClientRule = {
  id: 'client/waits-as-retry-after-says',
  level: 'must',
  statement: 'After a 429 or 503 with Retry-After, the client sends nothing until that time is over.',
  why: 'A key that goes on is refused for longer, and its requests may be counted.',
  exactly:
    'From the end of the answer, less 100 ms. What was refused itself is held to its own last refusal; a range under another query, to any of its path. In flight, and left alone, is what arrived before the answer had left and, for 500 ms, what comes over another connection or requests something else.',
  check,
};
