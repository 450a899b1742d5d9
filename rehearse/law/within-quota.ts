import { isWhole, readQuota, type WholeQuota } from '../../contract/reading/quota.ts';
import { type HeardExchange, isAnswered, type WholeExchange } from '../heard.ts';
import type { ClientRule, ClientSight } from './client-rule.ts';
import { tooEarly, wasInFlight } from './in-flight.ts';
import type { Play } from './play.ts';

type QuotaSaid = { readonly answer: WholeExchange; readonly quota: WholeQuota };

/** What answers to a known key say of its month; a refused key has a limit of 0. */
function saidOf({ spec, exchanges }: Play): QuotaSaid[] {
  return exchanges.filter(isAnswered).flatMap((answer) => {
    const quota = readQuota(spec.quota, answer.answerHeaders);
    return isWhole(quota) && quota.limit > 0 ? [{ answer, quota }] : [];
  });
}

/** Instants of the headers and of the clock may differ by this (ms). */
const tolerance = 100;

function* check(play: Play): Generator<ClientSight> {
  if (!play.noOverage) {
    yield { undecided: 'overage is allowed: --no-overage forbids it' };
    return;
  }
  const spent = saidOf(play).filter(({ quota }) => quota.remaining === 0);
  if (spent.length === 0) yield { undecided: 'no answer said that nothing is left' };
  for (const request of play.exchanges) {
    const known = spent.find((each) => forbids(each, request, play.epoch));
    if (known) yield { breach: tooEarly(request, known.answer, silence) };
    else if (spent.some(({ answer }) => answer.ended < request.arrived)) yield { judged: request };
  }
  for (const { answer } of spent.slice(0, 1)) yield { judged: answer };
}

function forbids({ answer, quota }: QuotaSaid, request: HeardExchange, epoch: number): boolean {
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
