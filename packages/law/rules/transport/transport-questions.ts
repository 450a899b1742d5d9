import { operationRoles } from '@candleproof/document/spec/roles';
import { localNow } from '../../reading/clock.ts';
import { headerValues } from '../../reading/exchange.ts';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyAnswer } from '../needs.ts';
import { type Band, joinValues, nameBand } from '../observed-values.ts';
import type { Question } from '../rule.ts';

function listValues(answer: Answer, name: string): readonly string[] {
  return headersNamed(answer, name) ?? [];
}

/** Answers per operation, since large and small answers are often treated differently. */
function cachingAnswer({ answers }: Evidence): string | undefined {
  const successes = answers.filter(
    (answer) => answer.success && answer.headers && (answer.exchange.recorder || acceptsUsualCodings(answer)),
  );
  const parts = operationRoles.flatMap((role) => {
    const ofRole = successes.filter(({ requested }) => requested?.role === role);
    return ofRole.length > 0 ? [`${role} ${nameCaching(ofRole)}`] : [];
  });
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** Returns whether a request of ours accepts gzip and Brotli, as some do in each run: others show what few clients see. */
function acceptsUsualCodings({ exchange: { request } }: Answer): boolean {
  const accepted = headerValues(request.headers, 'accept-encoding').join();
  return accepted === '' ? request.headers.length === 0 : /\bgzip\b.*\bbr\b/i.test(accepted);
}

/** Names directives without their numbers; Age and dates only show whether a cache was warm. */
function nameCaching(answers: readonly Answer[]): string {
  const tags = answers.flatMap((answer) => listValues(answer, 'etag'));
  const reported = [
    ...tags.map((tag) => (tag.startsWith('W/') ? 'weak ETag' : 'strong ETag')),
    ...listNames(answers, 'cache-control').filter((name) => directives.has(name)),
    ...listNames(answers, 'vary').map((name) => `varies by ${name}`),
    ...listNames(answers, 'content-encoding'),
  ];
  return reported.length > 0 ? [...new Set(reported)].sort().slice(0, 10).join(' + ') : 'none';
}

const directives: ReadonlySet<string> = new Set([
  ...['public', 'private', 'no-cache', 'no-store', 'no-transform', 'must-revalidate', 'proxy-revalidate'],
  ...['max-age', 's-maxage', 'immutable', 'stale-while-revalidate', 'stale-if-error'],
]);

function listNames(answers: readonly Answer[], header: string): string[] {
  const lists = answers.flatMap((answer) => listValues(answer, header));
  const names = lists.flatMap((list) => list.toLowerCase().split(','));
  return names.flatMap((name) => /^\s*([a-z*][a-z0-9-]{0,30})/.exec(name)?.[1] ?? []);
}

const drifts: readonly Band[] = [
  { upTo: 5, name: 'within five seconds' },
  { upTo: 60, name: 'within a minute' },
  { upTo: Number.POSITIVE_INFINITY, name: 'more than a minute apart' },
];

/** Date counts whole seconds and was written between departure and arrival. */
function clockAnswer({ answers }: Evidence): string | undefined {
  const apart = answers.flatMap(({ serverNow, exchange, fromCache }) =>
    serverNow === undefined || fromCache
      ? []
      : [Math.abs(serverNow + 0.5 - (localNow(exchange) - exchange.timings.total / 2000))],
  );
  return apart.length > 0 ? nameBand(median(apart), drifts) : undefined;
}

/** Answers only from what a run meets, since it does not search for the limit. Beyond the month's quota the answer differs. */
function rateAnswer({ answers }: Evidence): string | undefined {
  return joinValues(
    answers
      .filter(({ status, headers, quota }) => headers && status === 429 && !((quota.additional ?? 0) > 0))
      .map((answer) => `429, ${retryName(listValues(answer, 'retry-after')[0])}`),
  );
}

function retryName(value: string | undefined): string {
  if (value === undefined) return 'without Retry-After';
  return `Retry-After ${/^\s*\d+\s*$/.test(value) ? 'in seconds' : 'as a date'}`;
}

const versionHeaders = ['deprecation', 'sunset', 'api-version', 'x-api-version', 'x-version', 'warning'];

function deprecationAnswer({ answers }: Evidence): string | undefined {
  const successes = answers.filter((answer) => answer.success && answer.headers);
  if (successes.length === 0) return undefined;
  const named = versionHeaders.filter((name) =>
    successes.some((success) => listValues(success, name).length > 0),
  );
  return named.length > 0 ? named.join(' and ') : 'none';
}

export const transportQuestions: readonly Question[] = [
  {
    id: 'transport/caching',
    section: '7',
    question: 'What may a cache do with a success?',
    why: 'A shared cache that may store it gives one key’s answer to another.',
    exactly:
      'by operation: kind of ETag, known directives of Cache-Control without their numbers, names in Vary, content coding.',
    needs: anyAnswer,
    hasParts: true,
    answer: cachingAnswer,
  },
  {
    id: 'transport/clock',
    section: '',
    question: 'How far is the Date header from our clock?',
    why: 'An operator corrects the clock, the server’s or ours: which candles are open depends on it.',
    exactly:
      'the median of |Date + ½ − middle of the exchange by our clock|: up to 5 s, up to a minute, more.',
    needs: anyAnswer,
    answer: clockAnswer,
  },
  {
    id: 'transport/rate-limit',
    section: '8',
    question: 'How is a request that comes too soon answered?',
    why: 'A client that does not know how long to wait retries too early.',
    exactly: 'reported where a 429 was met; no run looks for one.',
    needs: anyAnswer,
    answer: rateAnswer,
  },
  {
    id: 'transport/deprecation',
    section: '9',
    question: 'Which headers announce versions and deprecations?',
    why: 'A maintainer adapts the client before the announced change breaks it.',
    exactly:
      'of Deprecation, Sunset, API-Version, X-API-Version, X-Version and Warning those that a success carries.',
    needs: anyAnswer,
    answer: deprecationAnswer,
  },
];
