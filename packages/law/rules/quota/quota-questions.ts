import { countUsage } from '../../reading/quota.ts';
import { type Answer, hasOtherMethod, headersNamed } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { errorCases } from '../error-cases.ts';
import { anyAnswer } from '../needs.ts';
import { joinParts } from '../observed-values.ts';
import { aroundRefusals, faultyNeed, withoutKey } from '../refusal-needs.ts';
import type { Question } from '../rule.ts';
import { counted, isOurs } from './quota-counting.ts';

/** Judges whether a status counts: by an answer's numbers, or by the answers around those without a key. */
function countsAnswer(evidence: Evidence): string | undefined {
  if (!evidence.target.soleUser) return undefined;
  return joinParts([
    ...keyedFaults(evidence).map(({ answer, moved }): [string, string] => [
      `${nameSteps(answer)}-to-our-key`,
      moved === 0 ? 'not counted' : 'counted',
    ]),
    ...foreignRequests(evidence).map(({ first, moved, size }): [string, string] => [
      `${nameSteps(first)}-without-a-key`,
      countInWords(moved, size),
    ]),
  ]);
}

function countInWords(moved: number, requests: number): string {
  if (moved === 0) return 'not counted';
  return moved === requests ? 'counted' : 'partly counted';
}

function nameSteps(answer: Answer): string {
  const { status, exchange } = answer;
  return hasOtherMethod(answer) ? `${exchange.request.method.toLowerCase()}-${status}` : String(status);
}

/** Lists runs of requests without a key between two answers to the run's key, the second of which counts itself. */
function foreignRequests({ answers }: Evidence): { first: Answer; moved: number; size: number }[] {
  const ours = answers.filter(isOurs);
  return ours.flatMap((after, at) => {
    const before = ours[at - 1];
    const between = answers.filter(({ index }) => before && index > before.index && index < after.index);
    const [first] = between;
    const isKnown =
      after.success && between.every((answer) => isStranger(answer) && answer.status === first?.status);
    if (!before || !first || !isKnown) return [];
    return [{ first, moved: countUsage(after.quota) - countUsage(before.quota) - 1, size: between.length }];
  });
}

function isStranger({ exchange, complete }: Answer): boolean {
  return complete && exchange.request.credential === 'none';
}

/** Groups answers to the run's key that are not successes by how far they moved the counters. */
function keyedFaults({ answers }: Evidence): { answer: Answer; moved: number }[] {
  return answers.flatMap((answer, at) => {
    const before = answers[at - 1];
    const isRefused = !answer.success && answer.status !== 429 && (answer.status ?? 500) < 500;
    const isFault = isRefused || hasOtherMethod(answer);
    if (!before || !isFault || !isOurs(answer) || !isOurs(before)) return [];
    const moved = countUsage(answer.quota) - countUsage(before.quota);
    return moved === 0 || moved === 1 ? [{ answer, moved }] : [];
  });
}

function otherHeadersAnswer({ answers, spec }: Evidence): string | undefined {
  const lines = answers.flatMap(({ success, headers }) => (success && headers ? [headers] : []));
  if (lines.length === 0) return undefined;
  const known: readonly string[] = Object.values(spec.quota);
  const names = lines.flat().map(([name]) => name.toLowerCase());
  const others = names.filter((name) => /^[\w-]*rate-?limit[\w-]*$/.test(name) && !known.includes(name));
  return [...new Set(others)].sort().slice(0, 8).join(' and ').slice(0, 300) || 'none';
}

function overLimitAnswer(evidence: Evidence): string | undefined {
  const beyond = counted(evidence).filter(({ quota }) => quota.additional > 0);
  const seen = beyond.map((answer) => {
    if (answer.success) return 'served';
    const waits = headersNamed(answer, 'retry-after') ?? [];
    return `refused with 429 ${waits.length > 0 ? 'and Retry-After' : 'without Retry-After'}`;
  });
  return seen.length > 0 ? [...new Set(seen)].sort().join(' and ') : undefined;
}

export const refusalQuotaQuestions: readonly Question[] = [
  {
    id: 'quota/what-counts',
    section: '8',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    question: 'Which requests other than successful ones count?',
    why: 'A client with a bug may spend a month’s allowance on refusals.',
    exactly: 'by status: the change in use from the answer before to the one after.',
    restsOn: ['quota-remaining'],
    needs: [...aroundRefusals, ...withoutKey, ...errorCases.map(faultyNeed)],
    hasParts: true,
    unlessBroken: ['quota/counts-every-request'],
    answer: countsAnswer,
  },
  {
    id: 'quota/other-headers',
    section: '8',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    question: 'Which other headers describe a rate limit?',
    why: 'A client has to heed limits that the document does not mention, too.',
    exactly: 'names with `ratelimit` or `rate-limit` in them beside the four.',
    needs: anyAnswer,
    answer: otherHeadersAnswer,
  },
  {
    id: 'quota/over-limit',
    section: '8',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    question: 'Is a request beyond the limit served or refused?',
    why: 'A client that budgets requests prepares for a bill or for an outage.',
    exactly: 'reported where additional is above 0.',
    restsOn: ['quota-additional'],
    needs: anyAnswer,
    answer: overLimitAnswer,
  },
];
