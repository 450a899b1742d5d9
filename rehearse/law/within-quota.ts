import { isWholeQuota, readQuota, type WholeQuota } from '../../contract/reading/quota.ts';
import { type ClientExchange, isAnswered, type WholeExchange } from '../client-exchange.ts';
import type { CheckResult, ClientRule } from './client-rule.ts';
import { makeEarlyBreach, wasInFlight } from './client-rule.ts';
import type { Play } from './play.ts';

type ReportedQuota = { readonly answer: WholeExchange; readonly quota: WholeQuota };

/** Reads the quota headers of answers to a known key; a refused key has a limit of 0. */
function readQuotas({ spec, exchanges }: Play): ReportedQuota[] {
  return exchanges.filter(isAnswered).flatMap((answer) => {
    const quota = readQuota(spec.quota, answer.answerHeaders);
    return isWholeQuota(quota) && quota.limit > 0 ? [{ answer, quota }] : [];
  });
}

/** Allowed difference (ms) between header times and the clock. */
const tolerance = 100;

function* check(play: Play): Generator<CheckResult> {
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
  check,
};
