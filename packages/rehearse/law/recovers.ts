import { type ClientExchange, isGood } from '../client-exchange.ts';
import type { CheckResult, ClientRule, Play } from './client-rule.ts';

/** Minimum time (ms) that a client gets to recover. */
const leastChance = 5000;

function* check(play: Play): Generator<CheckResult> {
  const { trouble, exchanges, end, ended } = play;
  if (trouble?.ended === undefined || !wasDisturbed(play)) {
    yield { undecided: trouble ? 'the trouble did not end, or hindered nothing' : 'no trouble came about' };
    return;
  }
  const over = trouble.ended;
  const again = exchanges.find((exchange) => exchange.arrived >= over && isGood(exchange));
  const before = exchanges.findLast((exchange) => exchange.arrived < over);
  if (again) yield { judged: again };
  else if (end.how === 'exited' && end.code === 0)
    yield { undecided: 'the client had ended by itself, with exit code 0' };
  else if (!before || ended < over + fairChance(play))
    yield {
      undecided:
        ended <= over
          ? 'the client had exited before the trouble ended'
          : `the client exited ${seconds(ended - over)} s after the trouble ended, too soon to judge`,
    };
  else yield { breach: makeBreach(play, before, over) };
}

/** Returns whether the trouble refused, failed or delayed a request, after a good answer. */
function wasDisturbed({ exchanges, trouble }: Play): boolean {
  const began = trouble?.began ?? 0;
  const over = trouble?.ended ?? 0;
  return (
    exchanges.some(isGood) &&
    exchanges.some(
      (exchange) =>
        exchange.arrived >= began &&
        exchange.arrived < over &&
        (!isGood(exchange) || exchange.ended - exchange.arrived > 1000),
    )
  );
}

/** Returns the time (ms) that a client gets to recover. Without Retry-After it may have doubled its waits. */
function fairChance({ trouble, pace, exchanges }: Play): number {
  const { began = 0, ended = 0, isAnnounced: tells = false } = trouble ?? {};
  const usual = pace ?? longestSilence(exchanges.filter((exchange) => exchange.arrived <= began));
  return Math.max(leastChance, tells ? 0 : 2 * (ended - began), 3 * usual);
}

/** Returns the longest time (ms) between consecutive requests. */
export function longestSilence(exchanges: readonly ClientExchange[]): number {
  return Math.max(
    0,
    ...exchanges.slice(1).map((exchange, at) => exchange.arrived - (exchanges[at]?.arrived ?? 0)),
  );
}

function makeBreach({ exchanges, ended }: Play, exchange: ClientExchange, over: number) {
  const later = exchanges.filter((exchange) => exchange.arrived >= over);
  const what = later.length === 0 ? 'no further request' : `${later.length} requests, none answered well`;
  return {
    exchange: later.at(-1) ?? exchange,
    expected: 'a good answer again after the trouble',
    actual: `${what} in the ${seconds(ended - over)} s after it`,
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

export const recovers: ClientRule = {
  id: 'client/recovers',
  level: 'must',
  statement: 'When the trouble is over, the client gets good answers again.',
  why: 'One that has given up, and runs on, looks healthy and delivers nothing.',
  exactly:
    'Judged of a client that got a good answer before, met the trouble, and lived on after it for the longest of 5 s, three times its longest silence before (in the control, where it was played) and, where no answer said how long to wait, twice the trouble’s length. Good is 200 or 304. One that ended by itself with exit code 0 is not judged, nor one that was gone sooner.',
  check,
};
