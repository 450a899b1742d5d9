import { headerValues } from '@candleproof/law/reading/exchange';
import { isWholeQuota, readQuota, type WholeQuota } from '@candleproof/law/reading/quota';
import { type ClientExchange, isAnswered, targetPath, type WholeExchange } from '../client-exchange.ts';
import type { CheckResult, ClientBreach, ClientRule, Play } from './client-rule.ts';
import { makeEarlyBreach, wasInFlight } from './client-rule.ts';

/** Allowed difference (ms) between the timers, clocks and header times of both sides. */
const tolerance = 100;

type Refused = WholeExchange & { readonly waitMs: number };

/** Returns the refusals with Retry-After in seconds. */
function findRefusals({ exchanges }: Play): Refused[] {
  return exchanges.filter(isAnswered).flatMap((exchange) => {
    const [seconds = ''] = headerValues(exchange.answerHeaders, 'retry-after');
    const isRefused = exchange.status === 429 || exchange.status === 503;
    return isRefused && /^\d+$/.test(seconds) ? [{ ...exchange, waitMs: Number(seconds) * 1000 }] : [];
  });
}

function* checkWaits(play: Play): Generator<CheckResult> {
  const refusals = findRefusals(play);
  if (refusals.length === 0) {
    yield { undecided: 'no answer said for how long to wait' };
    return;
  }
  for (const request of play.exchanges) {
    const before = refusals.filter((refusal) => refusal.ended < request.arrived);
    const early = findUnheeded(request, before);
    if (early) yield { breach: makeBreach(request, early) };
    else if (before.length > 0) yield { judged: request };
  }
  if (refusals.every((refusal) => hasWaited(refusal, play)))
    for (const judged of refusals.slice(0, 1)) yield { judged };
  else yield { undecided: 'the client ended before that time was over' };
}

/** Returns whether the client lived long enough after a refusal to show that it waits. */
function hasWaited(refusal: Refused, { ended }: Play): boolean {
  return ended > refusal.ended + refusal.waitMs;
}

/** Finds a refusal that the request ignores: the last of the same target, or else any that the client knows. */
function findUnheeded(request: ClientExchange, before: readonly Refused[]): Refused | undefined {
  const isOver = (refusal: Refused): boolean => request.arrived >= refusal.ended + refusal.waitMs - tolerance;
  const same = before.findLast(({ target }) => target === request.target);
  // A range up to now is requested again with another query.
  const alike = before.filter((refusal) => targetPath(refusal) === targetPath(request));
  if (same ? isOver(same) : alike.some(isOver)) return undefined;
  return before.find((refusal) => !isOver(refusal) && !wasInFlight(request, refusal));
}

function makeBreach(request: ClientExchange, refusal: Refused): ClientBreach {
  return makeEarlyBreach(
    request,
    refusal,
    `no request for ${refusal.waitMs / 1000} s after the ${refusal.status}`,
  );
}

export const waitsAsRetryAfterSays: ClientRule = {
  id: 'client/waits-as-retry-after-says',
  level: 'must',
  statement: 'After a 429 or 503 with Retry-After, the client sends nothing until that time is over.',
  why: 'A key that goes on is refused for longer, and its requests may be counted.',
  exactly:
    'From the end of the answer, less 100 ms. What was refused itself is held to its own last refusal; a range under another query, to any of its path. In flight, and left alone, is what arrived before the answer had left and, for 500 ms, what comes over another connection or requests something else.',
  check: checkWaits,
};

type ReportedQuota = { readonly answer: WholeExchange; readonly quota: WholeQuota };

/** Reads the quota headers of answers to a known key; a refused key has a limit of 0. */
function readQuotas({ spec, exchanges }: Play): ReportedQuota[] {
  return exchanges.filter(isAnswered).flatMap((answer) => {
    const quota = readQuota(spec.quota, answer.answerHeaders);
    return isWholeQuota(quota) && quota.limit > 0 ? [{ answer, quota }] : [];
  });
}

function* checkQuota(play: Play): Generator<CheckResult> {
  if (!play.noOverage) {
    yield { undecided: 'overage is allowed: --no-overage forbids it' };
    return;
  }
  const spent = readQuotas(play).filter(({ quota }) => quota.remaining === 0);
  if (spent.length === 0) yield { undecided: 'no answer said that nothing is left' };
  for (const request of play.exchanges) {
    const known = spent.find((reported) => forbids(reported, request, play.epoch));
    if (known) yield { breach: makeEarlyBreach(request, known.answer, silence) };
    else if (spent.some(({ answer }) => answer.ended < request.arrived)) yield { judged: request };
  }
  for (const { answer } of spent.slice(0, 1)) yield { judged: answer };
}

function forbids({ answer, quota }: ReportedQuota, request: ClientExchange, epoch: number): boolean {
  return !wasInFlight(request, answer) && epoch + request.arrived < quota.reset - tolerance;
}

const silence = 'no request from the answer that says 0 remaining to the reset of the month';

export const staysWithinItsQuota: ClientRule = {
  id: 'client/stays-within-its-quota',
  level: 'must',
  statement: 'With --no-overage: once an answer says that nothing is left, the client waits for the reset.',
  why: 'What goes beyond the month is billed, or refused.',
  exactly:
    'By the headers of the answers: remaining 0 until the instant of reset. Requests in flight when that answer left are allowed. Only with --no-overage.',
  check: checkQuota,
};
