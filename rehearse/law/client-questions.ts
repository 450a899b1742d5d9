import { isGood } from '../heard.ts';
import type { ClientQuestion } from './client-rule.ts';
import type { Play } from './play.ts';

const most = 3;

/** How often one connection fetched the same answer whole, beyond three times. */
function fetchedAgain({ exchanges }: Play): string | undefined {
  const whole = exchanges.filter((exchange) => isGood(exchange) && exchange.status === 200);
  if (whole.length === 0) return undefined;
  const groups = Map.groupBy(
    whole,
    ({ connection, target, answer }) => `${connection} ${target} ${answer.sha256}`,
  );
  const often = [...groups.values()].filter((group) => group.length > most);
  if (often.length === 0) return 'no answer more than three times';
  const times = Math.max(...often.map((each) => each.length));
  return `${often.length} ${often.length === 1 ? 'answer' : 'answers'} more than three times, up to ${times} times: If-None-Match with its ETag saves the body`;
}

/** How many histories were of one candle, and of more. */
function rangesOrSingles({ requested }: Play): string | undefined {
  const histories = [...requested.values()].filter(({ role }) => role === 'history');
  if (histories.length === 0) return undefined;
  const singles = histories.filter(({ from = 0, to = 0, length = 0 }) => to - from <= length).length;
  return `ranges: ${histories.length - singles}, single candles: ${singles}`;
}

export const clientQuestions: readonly ClientQuestion[] = [
  {
    id: 'client/same-answer-again',
    question: 'How often is the same whole answer fetched over one connection?',
    why: 'A conditional request costs the same quota and a hundredth of the bytes.',
    exactly: 'Answers of status 200 with equal target and equal body, per connection.',
    answer: fetchedAgain,
  },
  {
    id: 'client/ranges-or-single-candles',
    question: 'Are histories fetched in ranges, or candle by candle?',
    why: 'A range is one request of the quota, however many candles it holds.',
    exactly: 'A single candle: to − from is at most one interval.',
    answer: rangesOrSingles,
  },
];
