import { authenticationRules, detourRules } from './authentication/authentication.ts';
import { trialRules } from './authentication/authentication-trials.ts';
import { refusalQuestions } from './authentication/refusal-questions.ts';
import { amountQuestions } from './candle/amount-questions.ts';
import { candleRules } from './candle/candle.ts';
import { candleQuestions } from './candle/candle-questions.ts';
import { candleTimeRules } from './candle/candle-times.ts';
import { openEndRules } from './candle/open-ends.ts';
import { poolRateRules } from './candle/pool-rates.ts';
import { samplingQuestions } from './candle/sampling-questions.ts';
import { tradingRules } from './candle/trading.ts';
import { usdRateRules } from './candle/usd-rates.ts';
import { usdWorthRules } from './candle/usd-worth.ts';
import { errorQuestions } from './errors/error-questions.ts';
import { errorRules } from './errors/errors.ts';
import { type Consequence, consequences, ruleFacts } from './facts.ts';
import { adjacentAnswerRules } from './history/adjacent-answers.ts';
import { edgeRowRules } from './history/edge-rows.ts';
import { historyRules } from './history/history.ts';
import { historyQuestions } from './history/history-questions.ts';
import { overlapRules } from './history/overlap.ts';
import { poolColumnRules } from './history/pool-columns.ts';
import { poolRules } from './history/pools.ts';
import { rangeEdgeRules } from './history/range-edges.ts';
import { repeatRules } from './history/repeats.ts';
import { inversionRules } from './inversion/inversion.ts';
import { openInversionRules } from './inversion/inversion-open.ts';
import { inversionQuestions } from './inversion/inversion-questions.ts';
import { inversionScaleRules } from './inversion/inversion-scale.ts';
import { latestRules } from './latest/latest.ts';
import { latestAgreementRules } from './latest/latest-agreement.ts';
import { latestGrowthRules } from './latest/latest-growth.ts';
import { latestIntervalRules } from './latest/latest-intervals.ts';
import { latestObservedRules } from './latest/latest-observed.ts';
import { latestQuestions } from './latest/latest-questions.ts';
import { latestUsdRules } from './latest/latest-usd.ts';
import { quotaRules } from './quota/quota.ts';
import { burstRules } from './quota/quota-burst.ts';
import { accountRules } from './quota/quota-keys.ts';
import { refusalQuotaQuestions } from './quota/quota-questions.ts';
import { rollOverRules } from './quota/quota-roll-over.ts';
import { quotaValueRules } from './quota/quota-values.ts';
import { rollUpRules } from './rollup/rollup.ts';
import { openPartRules } from './rollup/rollup-open.ts';
import { tradingRollUpRules } from './rollup/rollup-trading.ts';
import type { Question, Rule } from './rule.ts';
import { tokenQuestions } from './tokens/token-questions.ts';
import { tokenRateRules } from './tokens/token-rates.ts';
import { tokenRules } from './tokens/tokens.ts';
import { firstTryRules } from './transport/answered-at-first.ts';
import { plainHttpRules } from './transport/plain-http.ts';
import { serviceQuestions } from './transport/service-questions.ts';
import { transportRules } from './transport/transport.ts';
import { cachingRules } from './transport/transport-caching.ts';
import { transportQuestions } from './transport/transport-questions.ts';

/** Every rule, in the order of a report: rules for all answers, for each resource, and across answers. */
export const rules: readonly Rule[] = [
  ...transportRules,
  ...firstTryRules,
  ...cachingRules,
  ...plainHttpRules,
  ...authenticationRules,
  ...trialRules,
  ...detourRules,
  ...errorRules,
  ...tokenRules,
  ...tokenRateRules,
  ...candleRules,
  ...candleTimeRules,
  ...openEndRules,
  ...usdRateRules,
  ...usdWorthRules,
  ...poolRateRules,
  ...tradingRules,
  ...historyRules,
  ...overlapRules,
  ...repeatRules,
  ...edgeRowRules,
  ...rangeEdgeRules,
  ...adjacentAnswerRules,
  ...poolRules,
  ...poolColumnRules,
  ...latestRules,
  ...latestObservedRules,
  ...latestGrowthRules,
  ...latestAgreementRules,
  ...latestIntervalRules,
  ...latestUsdRules,
  ...rollUpRules,
  ...openPartRules,
  ...tradingRollUpRules,
  ...inversionRules,
  ...inversionScaleRules,
  ...openInversionRules,
  ...quotaRules,
  ...quotaValueRules,
  ...burstRules,
  ...rollOverRules,
  ...accountRules,
];

/** The questions that the document leaves open, in the order of a report. */
export const questions: readonly Question[] = [
  ...historyQuestions,
  ...candleQuestions,
  ...samplingQuestions,
  ...amountQuestions,
  ...inversionQuestions,
  ...latestQuestions,
  ...tokenQuestions,
  ...transportQuestions,
  ...serviceQuestions,
  ...refusalQuestions,
  ...refusalQuotaQuestions,
  ...errorQuestions,
];

export type Catalogue = {
  readonly rules: readonly Rule[];
  readonly questions: readonly Question[];
};

/** All rules and questions. */
export const catalogue: Catalogue = { rules, questions };

/** Returns the part of the catalogue that ids or groups name, and any unknown name for the caller to refuse. */
export function choose(names: readonly string[]): { chosen: Catalogue; unknown: string[] } {
  const isNamed = (id: string): boolean => names.some((name) => id === name || id.startsWith(`${name}/`));
  const chosen = {
    rules: rules.filter((rule) => isNamed(rule.id)),
    questions: questions.filter((question) => isNamed(question.id)),
  };
  const ids = [...chosen.rules, ...chosen.questions].map((entry) => entry.id);
  const unknown = names.filter((name) => !ids.some((id) => id === name || id.startsWith(`${name}/`)));
  return { chosen, unknown };
}

const rulesById = new Map(rules.map((rule) => [rule.id, rule]));

/** Returns the consequence of a rule by its id, or of its group for a rule outside the catalogue. */
export function findConsequence(id: string): Consequence | undefined {
  return ruleFacts(rulesById.get(id) ?? { id })?.consequence;
}

/** Returns the rank of a rule's consequence, 0 for the worst; one after the last for a rule of no known group. */
export function rankConsequence(id: string): number {
  const consequence = findConsequence(id);
  return consequence === undefined ? consequences.length : consequences.indexOf(consequence);
}
