import { type Plan, usualSize } from '@candleproof/check/plan/plan';
import { isKeyed } from '@candleproof/check/plan/planned-request';
import type { ListedArticle, PlannedMethods } from '@candleproof/check/target/plan-check';
import type { Spec } from '@candleproof/document/spec/spec';
import { requestShare, type Shares } from '@candleproof/law/planning/allowance';
import { thousands } from '@candleproof/law/reading/words';

/** A key's month as far as it is known before anything is requested. */
export type KnownMonth = {
  /** Requests; the documented example (§8) if the limit is unknown. */
  readonly limit: number;
  readonly isKnown: boolean;
  readonly shares?: Shares;
};

/** The documented example of a monthly allowance (§8). */
const exampleMonth: KnownMonth = { limit: 10_000, isKnown: false };

/** Runs of a check in a month, each with its bill. */
const habits = { 'once a night': 30, 'twenty times a working day': 440 };

/** Returns the month that a plan is measured by before any answer shows one; none for a document that counts no requests. */
export function assumedMonth({ roles }: Spec): KnownMonth | undefined {
  return roles.includes('quota-limit') ? exampleMonth : undefined;
}

/** Formats a plan as lines of text: its requests, and what it costs when it is run regularly. */
export function planInWords(
  plan: Plan,
  budget: number | undefined,
  month: KnownMonth | undefined,
  target: string,
): string {
  const { requests, left } = plan;
  const charged = requests.filter(isKeyed).length;
  const withKey = charged < requests.length ? `, ${charged} with the key` : '';
  const lines = [...Map.groupBy(requests, ({ need }) => need.role)].map(
    ([operation, all]) => `${String(all.length).padStart(5)}  ${operation}${describeKeyless(all)}`,
  );
  return [
    `A check of ${target} sends:`,
    ...lines,
    `${String(requests.length).padStart(5)}  in all${withKey}${share(charged, month)}; at most ${requestsToAskAgain(plan, budget)} more to ask again`,
    ...(left > 0 ? [`${String(left).padStart(5)}  left out: the budget has no room for them`] : []),
    'Run regularly it costs:',
    ...Object.entries(habits).map(([habit, times]) => bill(habit, charged * times, month)),
    ...(!month || month.isKnown ? [] : ['The allowance of the key is not known until an answer tells it.']),
    '',
  ].join('\n');
}

/** Formats the methods of a check as a line of text if the document declares POSTs; else they say nothing new. */
export function methodsInWords(target: string, { methods, posts }: PlannedMethods): string {
  if (posts.length === 0) return '';
  const have = posts.length === 1 ? 'has' : 'have';
  const they = posts.length === 1 ? 'it only reads' : 'they only read';
  return `A check of ${target} sends ${methods.join(' and ')}: ${posts.join(' and ')} ${have} a JSON body, and the document declares that ${they}.\n`;
}

/** Returns the most requests that a check sends beyond its plan. */
export function requestsToAskAgain({ requests }: Plan, budget: number | undefined): number {
  return budget === undefined ? usualSize.again : Math.min(budget - requests.length, usualSize.again);
}

function describeKeyless(all: Plan['requests']): string {
  const without = all.filter((plannedRequest) => plannedRequest.credential === 'none').length;
  return without > 0 ? ` (${without} of ${all.length} without a key)` : '';
}

function bill(habit: string, requests: number, month: KnownMonth | undefined): string {
  const kept = month?.shares && requestShare(month.limit, month.shares, 'check');
  const beyond =
    kept !== undefined && requests > kept ? `: more than the ${thousands(kept)} kept for checks` : '';
  return `  ${habit}: ${thousands(requests)} requests a month${share(requests, month)}${beyond}`;
}

function share(requests: number, month: KnownMonth | undefined): string {
  if (!month) return '';
  const { limit } = month;
  return `, ${Number(((100 * requests) / limit).toPrecision(2))} % of a month of ${thousands(limit)} requests`;
}

/** Formats rules and questions as lines of text, and their number. */
export function articlesInWords(articles: readonly ListedArticle[]): string {
  const lines = articles.map(
    ({ id, level, section }) => `${level.padEnd(8)}${id}${section === '' ? '' : `  §${section}`}`,
  );
  return `${[...lines, `${articles.length} rules and questions; nothing was sent`].join('\n')}\n`;
}
