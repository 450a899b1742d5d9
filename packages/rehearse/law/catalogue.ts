import { isGood } from '../client-exchange.ts';
import { backsOffFromServerErrors, easesOffWhenItsKeyIsRefused } from './backs-off.ts';
import type { ClientQuestion, ClientRule, Play } from './client-rule.ts';
import { recovers } from './recovers.ts';
import { fewEqualRequests, keepsParametersWithinTheDocument, keyInItsHeaderAlone } from './requests.ts';
import { staysWithinItsQuota, waitsAsRetryAfterSays } from './waits.ts';

/** The rules for clients, in the order in which findings are reported. */
export const clientRules: readonly ClientRule[] = [
  waitsAsRetryAfterSays,
  backsOffFromServerErrors,
  staysWithinItsQuota,
  keyInItsHeaderAlone,
  keepsParametersWithinTheDocument,
  recovers,
  easesOffWhenItsKeyIsRefused,
  fewEqualRequests,
];

const most = 3;

/** Counts answers that one connection fetched completely more than three times. */
function countRefetches({ exchanges }: Play): string | undefined {
  const whole = exchanges.filter((exchange) => isGood(exchange) && exchange.status === 200);
  if (whole.length === 0) return undefined;
  const groups = Map.groupBy(
    whole,
    ({ connection, target, answer }) => `${connection} ${target} ${answer.sha256}`,
  );
  const often = [...groups.values()].filter((group) => group.length > most);
  if (often.length === 0) return 'no answer more than three times';
  const times = Math.max(...often.map((group) => group.length));
  return `${often.length} ${often.length === 1 ? 'answer' : 'answers'} more than three times, up to ${times} times: If-None-Match with its ETag saves the body`;
}

/** Counts histories of one candle, and of more. */
function countRangesAndSingles({ requested }: Play): string | undefined {
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
    answer: countRefetches,
  },
  {
    id: 'client/ranges-or-single-candles',
    question: 'Are histories fetched in ranges, or candle by candle?',
    why: 'A range is one request of the quota, however many candles it holds.',
    exactly: 'A single candle: to − from is at most one interval.',
    answer: countRangesAndSingles,
  },
];
