import type { Body } from '../../reading/exchange.ts';
import { headersNamed } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { keylessAnswers } from '../authentication/authentication.ts';
import { anyAnswer } from '../needs.ts';
import { counted } from '../quota/quota-counting.ts';
import { withoutKey } from '../refusal-needs.ts';
import type { Question } from '../rule.ts';

function refusalAnswer(evidence: Evidence): string | undefined {
  return distinct(
    keylessAnswers(evidence).flatMap(({ status, body }) => (body ? [`${status} ${nameForm(body)}`] : [])),
  );
}

/** Names the form of a body, never its text: members by name. */
function nameForm(body: Body): string {
  if (body.text === '') return 'without a body';
  const parsed = parseStrictly(body.text);
  if (!('value' in parsed)) return 'with a body that is no JSON';
  const { value } = parsed;
  if (Array.isArray(value)) return 'with a list';
  if (typeof value !== 'object' || value === null) return 'with a plain value';
  return `with an object of ${Object.keys(value).sort().slice(0, 10).join(', ')}`.slice(0, 200);
}

function crossOriginAnswer({ answers }: Evidence): string | undefined {
  const seen = answers.filter((answer) => answer.success && answer.headers);
  if (seen.length === 0) return undefined;
  const origins = seen.flatMap((answer) => headersNamed(answer, 'access-control-allow-origin') ?? []);
  return distinct(origins)?.slice(0, 100) ?? 'not offered';
}

/** Returns the zone in which the reset is the beginning of a month, or its last millisecond. */
function resetAnswer(evidence: Evidence): string | undefined {
  const resets = counted(evidence).flatMap(({ quota }) =>
    quota.reset > 1e12 && quota.reset < 1e13 ? [quota.reset] : [],
  );
  return distinct(resets.map(findMonthEnd));
}

const quarter = 900_000;

function findMonthEnd(reset: number): string {
  const next = reset % quarter === 0 ? reset : reset + 1;
  for (let offset = -12 * 4; offset <= 14 * 4 && next % quarter === 0; offset++) {
    const local = new Date(next + offset * quarter);
    const isMidnight = local.getUTCDate() === 1 && local.getTime() % 86_400_000 === 0;
    if (isMidnight)
      return `a month’s end at UTC${zoneName(offset)}${next === reset ? '' : ', its last millisecond'}`;
  }
  return 'no month’s end in any zone';
}

function zoneName(quarters: number): string {
  const minutes = Math.abs(quarters) * 15;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${quarters < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function distinct(values: readonly string[]): string | undefined {
  return values.length > 0 ? [...new Set(values)].sort().slice(0, 5).join('; ') : undefined;
}

export const serviceQuestions: readonly Question[] = [
  {
    id: 'authentication/refusal',
    section: '7',
    question: 'How is a request without a key refused?',
    why: 'Error handling is written for the status and form seen in development.',
    restsOn: ['key'],
    needs: withoutKey,
    answer: refusalAnswer,
  },
  {
    id: 'quota/zone',
    section: '8',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    question: 'When does the month of the quota end?',
    why: 'A client that budgets requests plans up to that moment, which another time zone moves.',
    exactly:
      'the offset from UTC, in quarters of an hour from −12:00 to +14:00, at which reset, or the millisecond after it, is the first of a month.',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    answer: resetAnswer,
  },
  {
    id: 'transport/cross-origin',
    section: '7',
    question: 'May a web page from another origin read the answers?',
    why: 'The developer of a page in a browser needs a server of their own where it may not.',
    exactly: 'Access-Control-Allow-Origin as it is.',
    needs: anyAnswer,
    answer: crossOriginAnswer,
  },
];
