import type { Outcome, RuleResult } from '@candleproof/law/judge/verdict';
import type { Level } from '@candleproof/law/rules/facts';
import { hostile } from './hostile.ts';

/** Level, section (- for none), id and outcome | statement | why | reason. */
const table = `
must 4 transport/proper-requests-are-answered passed | A request that follows the document is answered with 200, completely and in time. | If a correct request is not answered, nothing else can be relied on.
must 1 transport/strict-json passed | The body of a success is exactly one JSON value, without a repeated member name in an object. | Parsers disagree about anything else, so two clients would read two different markets.
should - transport/length-agrees surprised | Content-Length, where it is sent, is the number of bytes that follow. | A wrong length truncates the answer or stalls the connection behind a proxy. | a known failing is gone at listTokens header:content-length: a proxy cut answers short
must 5 authentication/key-is-required known | Without a key no operation succeeds. | An operation that does not check the key gives data away and charges it to nobody. | known until 2026-01-31: agreed with the operator
must 2.1 tokens/id-is-three-integers failed | A token id is three integers joined by dots, without leading zeros. | The id is the key by which a token is found on the ledger.
must 2.1 tokens/price-is-integer-text passed | The price is a whole number as text: digits only, no leading zero. | Clients parse it as a big integer; a sign, point or exponent makes that fail.
should 2.1 tokens/symbol-is-visible failed | A symbol holds at least one visible character. | People know the token by it.
must 4.1 tokens/answer-is-a-list passed | The token list is a JSON array. | Clients iterate over it; anything else breaks them at once.
must 2.2 candle/all-fields-present passed | A candlestick has all twelve fields. | The document requires every one of them.
must 2.2 candle/high-is-highest failed | high ≥ open, low and close. | It is the highest price of the interval, which the other prices belong to.
must 2.2 candle/average-is-within-range failed | low ≤ avg ≤ high. | A mean lies within the range of the averaged values; one that does not is useless as a price.
should 2.2 candle/prices-are-positive passed | Open, high, low and close are above zero. | A price of zero usually means that a gap was filled with zeros.
must 2.2 rollup/high-is-the-highest failed | The high of a candle is the highest high of the shorter candles in it. | Both cover the same observations.
must 2.2 rollup/volume-is-summed unexercised | The volume of a candle is the exact sum of the shorter candles in it. | Volume is a sum over the interval, so the parts must make up the whole. | no closed week was requested: the pool is younger than eight days
should 2.2 rollup/average-is-the-mean inconclusive | Apart from missing observations, the average of a candle is the mean of the averages of its shorter candles. | It shows averages made of something else, such as a price by volume. | averages differ from the mean by what an outage explains
must 4.2 history/complete failed | Every closed interval within the range and the pool's lifetime has its candle. | A missing candle is read as a quiet hour, and a truncated answer as a young pool. | known only until 2025-11-01, which has passed: the outage of October
must 4.2 inversion/extremes-are-swapped failed | high × inverted low and low × inverted high are that same constant. | The highest price is the lowest one seen from the other side.
must 4.3 latest/never-goes-back unexercised | The latest candlestick never gets older from one answer to the next. | Time that runs backwards indicates replicas out of sync. | no closed week was requested: the pool is younger than eight days
must 8 quota/headers-on-every-answer failed | Every answer carries the four quota headers, each exactly once and as a whole number. | Clients plan their requests by these headers and need them most on refusals.
should 8 quota/limit-is-constant passed | The limit stays the same within a run. | It is agreed for the month; a limit that moves with use is another number.
observe 2.2 candle/end-stamps passed | What do the end times of closed and open candles mean? | It decides which period a price belongs to.
observe 2 candle/extra-fields passed | Which undocumented fields are there? | They announce a change before the document does.
observe 7 transport/cross-origin passed | May a web page from another origin read the answers? | Browser clients depend on it.
observe 4.3 latest/lag unexercised | How far is the latest candle behind the server’s clock? | It is the freshness that a price display can promise. | no answer reported
`;

function toRule(line: string): RuleResult {
  const [head = '', statement = '', why = '', reason] = line.split(' | ');
  const [level, section = '', id = '', outcome] = head.split(' ') as [Level, string, string, Outcome];
  return {
    id,
    section: section === '-' ? '' : section,
    level,
    statement,
    why,
    outcome,
    evidence: outcome === 'unexercised' ? 0 : 7,
    operations: [],
    ...(reason && { reason }),
  };
}

const hostileRule: RuleResult = {
  id: 'hostile/texts',
  section: '2',
  level: 'should',
  statement: 'Texts of a target stay texts.',
  why: 'A report that runs them is no report.',
  outcome: 'inconclusive',
  evidence: 7,
  operations: [],
  reason: hostile.script,
};

/** Every outcome at some rule, with a reason for all but passed and failed. */
export const sampleRules: readonly RuleResult[] = [...table.trim().split('\n').map(toRule), hostileRule];
