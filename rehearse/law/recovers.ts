import { type HeardExchange, isGood } from '../heard.ts';
import type { ClientRule, ClientSight } from './client-rule.ts';
import type { Play } from './play.ts';

/** Shortest chance (ms) that is fair. */
const leastChance = 5000;

function* check(play: Play): Generator<ClientSight> {
  const { trouble, exchanges, end, ended } = play;
  if (trouble?.ended === undefined || !wasMet(play)) {
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
      undecided: `the client was gone ${seconds(Math.max(0, ended - over))} s after the trouble: no fair chance`,
    };
  else yield { breach: breachOf(play, before, over) };
}

/** Something was refused, failed or came late in it, after something that was answered well. */
function wasMet({ exchanges, trouble }: Play): boolean {
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

/** Who is not informed how long it lasts may have doubled its wait each time; and nobody comes faster than usual. */
function fairChance({ trouble, pace, exchanges }: Play): number {
  const { began = 0, ended = 0, tells = false } = trouble ?? {};
  const usual = pace ?? longestSilence(exchanges.filter((exchange) => exchange.arrived <= began));
  return Math.max(leastChance, tells ? 0 : 2 * (ended - began), 3 * usual);
}

/** Longest time (ms) between two requests, one after the other. */
export function longestSilence(exchanges: readonly HeardExchange[]): number {
  return Math.max(
    0,
    ...exchanges.slice(1).map((exchange, at) => exchange.arrived - (exchanges[at]?.arrived ?? 0)),
  );
}

function breachOf({ exchanges, ended }: Play, exchange: HeardExchange, over: number) {
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
