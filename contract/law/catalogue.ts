import { authenticationRules, detourRules } from './authentication/authentication.ts';
import { trialRules } from './authentication/authentication-trials.ts';
import { refusalQuestions } from './authentication/refusal-questions.ts';
import { amountQuestions } from './candle/amount-questions.ts';
import { candleRules } from './candle/candle.ts';
import { candleQuestions } from './candle/candle-questions.ts';
import { candleTimeRules } from './candle/candle-times.ts';
import { samplingQuestions } from './candle/sampling-questions.ts';
import { tradingRules } from './candle/trading.ts';
import { usdRateRules } from './candle/usd-rates.ts';
import { errorQuestions } from './errors/error-questions.ts';
import { errorRules } from './errors/errors.ts';
import { historyRules } from './history/history.ts';
import { historyQuestions } from './history/history-questions.ts';
import { overlapRules } from './history/overlap.ts';
import { poolColumnRules } from './history/pool-columns.ts';
import { poolRules } from './history/pools.ts';
import { rangeEdgeRules } from './history/range-edges.ts';
import { seamRules } from './history/seams.ts';
import { inversionRules } from './inversion/inversion.ts';
import { openInversionRules } from './inversion/inversion-open.ts';
import { inversionQuestions } from './inversion/inversion-questions.ts';
import { latestRules } from './latest/latest.ts';
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
import { rollupRules } from './rollup/rollup.ts';
import { openPartRules } from './rollup/rollup-open.ts';
import { tradingRollupRules } from './rollup/rollup-trading.ts';
import type { Question, Rule } from './rule.ts';
import { tokenQuestions } from './tokens/token-questions.ts';
import { tokenRules } from './tokens/tokens.ts';
import { plainHttpRules } from './transport/plain-http.ts';
import { serviceQuestions } from './transport/service-questions.ts';
import { transportRules } from './transport/transport.ts';
import { cachingRules } from './transport/transport-caching.ts';
import { transportQuestions } from './transport/transport-questions.ts';

/** Every rule of every edition, in the order of a report: rules for all answers, for each resource, and across answers. */
const allRules: readonly Rule[] = [
  ...transportRules,
  ...cachingRules,
  ...plainHttpRules,
  ...authenticationRules,
  ...trialRules,
  ...detourRules,
  ...errorRules,
  ...tokenRules,
  ...candleRules,
  ...candleTimeRules,
  ...usdRateRules,
  ...tradingRules,
  ...historyRules,
  ...overlapRules,
  ...rangeEdgeRules,
  ...seamRules,
  ...poolRules,
  ...poolColumnRules,
  ...latestRules,
  ...latestObservedRules,
  ...latestGrowthRules,
  ...latestIntervalRules,
  ...latestUsdRules,
  ...rollupRules,
  ...openPartRules,
  ...tradingRollupRules,
  ...inversionRules,
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

/**
 * The newest edition that a rule or question came with; a verdict names it. A rule that is new or stricter
 * has the next number as `since`, and a replaced one the number before as `until`.
 */
export const edition = Math.max(...[...allRules, ...questions].map(({ since = 1 }) => since));

export type Catalogue = {
  /** Absent if the catalogue was assembled in another way. */
  readonly edition?: number;
  readonly rules: readonly Rule[];
  readonly questions: readonly Question[];
};

/** Reports an edition that does not exist. */
export class UnknownEdition extends Error {
  override readonly name = 'UnknownEdition';
}

const everything: Catalogue = { rules: allRules, questions };

/** Returns the rules and questions of one edition. Throws UnknownEdition unless it is between 1 and the current one. */
export function editionCatalogue(
  wanted: number,
  all: Catalogue = everything,
  newest: number = edition,
): Catalogue {
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > newest) {
    throw new UnknownEdition(`there is no edition ${wanted} of the rules: the editions are 1 to ${newest}`);
  }
  const isIn = ({ since = 1, until = newest }: Rule | Question): boolean =>
    since <= wanted && wanted <= until;
  return { edition: wanted, rules: all.rules.filter(isIn), questions: all.questions.filter(isIn) };
}

/** The rules and questions of the current edition. */
export const catalogue: Catalogue = editionCatalogue(edition);

export const { rules } = catalogue;

/** Returns the part of a catalogue that ids or groups name, and any unknown name for the caller to refuse. */
export function choose(
  names: readonly string[],
  law: Catalogue = catalogue,
): { chosen: Catalogue; unknown: string[] } {
  const isNamed = (id: string): boolean => names.some((name) => id === name || id.startsWith(`${name}/`));
  const chosen = {
    ...law,
    rules: law.rules.filter((rule) => isNamed(rule.id)),
    questions: law.questions.filter((question) => isNamed(question.id)),
  };
  const ids = [...chosen.rules, ...chosen.questions].map((entry) => entry.id);
  const unknown = names.filter((name) => !ids.some((id) => id === name || id.startsWith(`${name}/`)));
  return { chosen, unknown };
}
