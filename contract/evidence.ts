import { withoutServerTime, wrongDates } from './clock.ts';
import { type Conventions, observeConventions } from './conventions.ts';
import type { Recording, TargetFacts } from './exchange.ts';
import { type Answer, type CandleAnswer, type HistoryAnswer, read } from './reading.ts';
import type { Spec } from './spec.ts';
import type { OperationId } from './verdict.ts';

/** All that a judge may look at: every exchange read once, sorted by what was asked. */
export type Evidence = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  /** Those of the target; a recording of others may hold exchanges with other sites. */
  readonly answers: readonly Answer[];
  /** Successful answers to proper requests. */
  readonly tokenLists: readonly Answer[];
  readonly candleAnswers: readonly CandleAnswer[];
  readonly histories: readonly HistoryAnswer[];
  readonly latest: readonly CandleAnswer[];
  /** Answers whose Date header contradicts their own candle. */
  readonly wrongDates: readonly CandleAnswer[];
  /** What the target does where the document leaves a choice. */
  readonly conventions: Conventions;
};

export function gatherEvidence(spec: Spec, recording: Recording): Evidence {
  const { target } = recording;
  const all = recording.exchanges.flatMap((exchange, index) =>
    exchange.request.url.startsWith(`${target.baseUrl}/`) ? [read(spec, target, exchange, index)] : [],
  );
  const wrong = wrongDates(all);
  const answers = wrong.length > 0 ? withoutServerTime(all) : all;
  const successes = (operation: OperationId): Answer[] =>
    answers.filter((each) => each.success && each.asked?.proper && each.asked.operation === operation);
  const histories = successes('listV2PoolCandles') as HistoryAnswer[];
  const latest = successes('getLatestV1PoolCandle') as CandleAnswer[];
  const candleAnswers = [...latest, ...histories].sort((a, b) => a.index - b.index);
  return {
    spec,
    target,
    answers,
    tokenLists: successes('listTokens'),
    candleAnswers,
    histories,
    latest,
    conventions: observeConventions(candleAnswers),
    wrongDates: wrong,
  };
}
