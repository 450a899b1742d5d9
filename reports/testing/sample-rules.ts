import type { Level, Outcome, RuleResult } from '../../contract/verdict.ts';
import { hostile } from './hostile.ts';

type Row = readonly [
  id: string,
  section: string,
  level: Level,
  outcome: Outcome,
  statement: string,
  why: string,
  reason?: string,
];

const unclosed = 'no closed week was asked for: the pool is younger than eight days';

const rows: readonly Row[] = [
  ['transport/proper-requests-are-answered', '4', 'must', 'passed', 'A request that keeps to the document is answered 200, completely and in time.', 'Nothing else can be relied on where a correct call has no answer.'],
  ['transport/strict-json', '1', 'must', 'passed', 'The body of a success is exactly one JSON value, with no member name twice in an object.', 'Parsers disagree about anything else, so that two clients read two different markets.'],
  ['transport/length-agrees', '', 'should', 'surprised', 'Content-Length, where it is sent, is the number of bytes that follow.', 'A wrong length truncates the answer or stalls the connection behind a proxy.'],
  ['authentication/key-is-required', '5', 'must', 'known', 'Without a key no operation succeeds.', 'An operation that forgot to ask gives the data away and counts against nobody.'],
  ['tokens/id-is-three-integers', '2.1', 'must', 'failed', 'A token id is three integers joined by dots, without leading zeros.', 'The id is the key by which a token is found on the ledger.'],
  ['tokens/price-is-integer-text', '2.1', 'must', 'passed', 'The price is a whole number as text: digits only, no leading zero.', 'It is read with big integers; a sign, point or exponent makes that fail.'],
  ['tokens/symbol-is-visible', '2.1', 'should', 'failed', 'A symbol holds at least one visible character.', 'It is the name that people see.'],
  ['tokens/answer-is-a-list', '4.1', 'must', 'passed', 'The token list is a JSON array.', 'Clients iterate over it; anything else breaks them at once.'],
  ['candle/all-fields-present', '2.2', 'must', 'passed', 'A candlestick has all twelve fields.', 'The document calls every one of them required.'],
  ['candle/high-is-highest', '2.2', 'must', 'failed', 'high ≥ open, low and close.', 'It is the highest price of the interval, and the others are prices of it.'],
  ['candle/average-is-within-range', '2.2', 'must', 'failed', 'low ≤ avg ≤ high.', 'A mean lies among the values that it is made of; one that does not is useless as a price.'],
  ['candle/prices-are-positive', '2.2', 'should', 'passed', 'Open, high, low and close are above zero.', 'A price of zero is the usual trace of a gap that was filled with nothing.'],
  ['rollup/high-is-the-highest', '2.2', 'must', 'failed', 'The high of a candle is the highest high of the shorter candles in it.', 'They divide the same observations among them.'],
  ['rollup/volume-is-summed', '2.2', 'must', 'unexercised', 'The volume of a candle is the exact sum of the shorter candles in it.', 'Volume is a sum over the interval: the parts must make up the whole.', unclosed],
  ['rollup/average-is-the-mean', '2.2', 'should', 'inconclusive', 'The average of a candle is the mean of its shorter candles, as far as missing observations allow.', 'It shows averages made of something else, such as a price by volume.', 'averages differ from the mean by what an outage explains'],
  ['history/complete', '4.2', 'must', 'failed', 'Every closed interval that lies inside the range and the life of the pool has its candle.', 'A missing candle is read as a quiet hour, a truncated answer as a young pool.'],
  ['inversion/extremes-are-swapped', '4.2', 'must', 'failed', 'high × inverted low and low × inverted high are that same constant.', 'The highest price is the lowest one seen from the other side.'],
  ['latest/never-goes-back', '4.3', 'must', 'unexercised', 'From one answer to the next the latest candlestick is never an older one.', 'Time that runs backwards is the mark of replicas out of step.', unclosed],
  ['quota/headers-on-every-answer', '8', 'must', 'failed', 'Each answer carries the four quota headers, each once and as a whole number.', 'Clients plan their requests by them, and need them most on refusals.'],
  ['quota/limit-is-constant', '8', 'should', 'passed', 'The limit stays the same within a run.', 'It is agreed for the month; a limit that moves with use is another number.'],
  ['candle/end-stamps', '2.2', 'observe', 'passed', 'What do the end stamps of closed and of open candles say?', 'It decides which period a price is filed under.'],
  ['candle/extra-fields', '2', 'observe', 'passed', 'Which fields come beside the documented ones?', 'They announce a change before the document does.'],
  ['transport/cross-origin', '7', 'observe', 'passed', 'May a web page of another origin read the answers?', 'Browser clients depend on it.'],
  ['latest/lag', '4.3', 'observe', 'unexercised', 'How far does the latest candle lie behind the server’s clock?', 'It is the freshness that a price display can promise.', 'no answer told'],
  ['hostile/texts', '2', 'should', 'inconclusive', 'Texts of a target stay texts.', 'A report that runs them is no report.', hostile.script],
];

/** Every outcome at some rule, a reason wherever one was not simply passed or failed. */
export const sampleRules: readonly RuleResult[] = rows.map(
  ([id, section, level, outcome, statement, why, reason]) => ({
    id,
    section,
    level,
    statement,
    why,
    outcome,
    evidence: outcome === 'unexercised' ? 0 : 7,
    ...(reason && { reason }),
  }),
);
