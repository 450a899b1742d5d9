import type { Evidence } from '../evidence.ts';
import { headerValues } from '../exchange.ts';
import { anyAnswer, tokenList, withoutKey } from '../needs.ts';
import type { Answer } from '../reading.ts';
import type { Question } from '../rule.ts';
import { counted } from '../rules/quota-counting.ts';
import { parseStrictly } from '../strict-json.ts';

function refusalAnswer({ answers, target }: Evidence): string | undefined {
  const refused = answers.filter((each) => each.exchange.request.credential === 'none' && each.complete);
  if (target.keyless || refused.length === 0) return undefined;
  return distinct(refused.map((each) => `${each.status} ${bodyClass(each)}`));
}

/** The form of a body, never its text: members by name. */
function bodyClass({ exchange }: Answer): string {
  const body = exchange.response?.body;
  if (!body || body.text === '') return 'without a body';
  const parsed = parseStrictly(body.text);
  if (!('value' in parsed)) return 'with a body that is no JSON';
  const { value } = parsed;
  if (Array.isArray(value)) return 'with a list';
  if (typeof value !== 'object' || value === null) return 'with a plain value';
  return `with an object of ${Object.keys(value).sort().slice(0, 10).join(', ')}`.slice(0, 200);
}

/** Share by which price and priceUsd of one list disagree beyond rounding, the price of one coin taken from the list. */
function usdAnswer({ tokenLists }: Evidence): string | undefined {
  const tokens = tokenLists.flatMap(({ records }) => records as (Record<string, unknown> | null)[]);
  const priced = tokens.flatMap((token) => {
    const { price, priceUsd } = token ?? {};
    const isPriced = typeof price === 'string' && typeof priceUsd === 'number' && Number(price) > 0;
    return isPriced ? [{ price: Number(price), priceUsd }] : [];
  });
  const coin = priced.find((each) => each.price === 1e8)?.priceUsd;
  if (coin === undefined) return undefined;
  const off = priced.filter(({ price, priceUsd }) => {
    const slack = (0.5 * coin) / 1e8 + 0.5e-8 + 1e-3 * priceUsd;
    return Math.abs(priceUsd - (price * coin) / 1e8) > slack;
  });
  if (off.length === 0) return 'price is in hundred-millionths of one coin: every priceUsd agrees';
  return `${off.length} of ${priced.length} tokens depart from price × one coin's USD`;
}

const telltale = ['etag', 'cache-control', 'age', 'last-modified', 'vary', 'content-encoding'];

function cachingAnswer({ answers }: Evidence): string | undefined {
  const seen = answers.filter((each) => each.success);
  if (seen.length === 0) return undefined;
  const names = new Set(
    seen.flatMap(({ exchange }) => (exchange.response?.headers ?? []).map(([name]) => name.toLowerCase())),
  );
  const told = telltale.filter((each) => names.has(each));
  return told.length > 0 ? told.join(', ') : 'none';
}

function protocolAnswer({ answers }: Evidence): string | undefined {
  return distinct(
    answers.flatMap(({ exchange }) => (exchange.response ? [exchange.response.httpVersion] : [])),
  );
}

function crossOriginAnswer({ answers }: Evidence): string | undefined {
  const seen = answers.filter((each) => each.success);
  if (seen.length === 0) return undefined;
  const origins = seen.flatMap(({ exchange }) =>
    headerValues(exchange.response?.headers ?? [], 'access-control-allow-origin'),
  );
  return distinct(origins)?.slice(0, 100) ?? 'not offered';
}

/** The month's end as the time of day at which it falls in UTC: it tells the zone. */
function resetAnswer(evidence: Evidence): string | undefined {
  const resets = counted(evidence).flatMap(({ quota }) =>
    quota.reset > 1e12 && quota.reset < 1e13 ? [quota.reset] : [],
  );
  return distinct(resets.map((each) => `at ${new Date(each).toISOString().slice(11, -1)} UTC`));
}

function distinct(values: readonly string[]): string | undefined {
  return values.length > 0 ? [...new Set(values)].sort().slice(0, 5).join('; ') : undefined;
}

export const serviceQuestions: readonly Question[] = [
  {
    id: 'authentication/refusal',
    section: '7',
    question: 'How is a request without a key refused?',
    why: 'Error handling is written against the status and the form that were once seen.',
    needs: withoutKey,
    answer: refusalAnswer,
  },
  {
    id: 'quota/zone',
    section: '8',
    question: 'When does the month of the quota end?',
    why: 'It tells the time zone by which requests are counted.',
    needs: anyAnswer,
    answer: resetAnswer,
  },
  {
    id: 'tokens/unit-of-price',
    section: '2.1',
    question: 'What is the unit of a token’s price?',
    why: 'The document gives none; the list itself tells it.',
    needs: [tokenList],
    answer: usdAnswer,
  },
  {
    id: 'transport/caching',
    section: '7',
    question: 'Which caching and coding headers come with a success?',
    why: 'They decide what a shared cache may do with the answer.',
    needs: anyAnswer,
    answer: cachingAnswer,
  },
  {
    id: 'transport/cross-origin',
    section: '7',
    question: 'May a web page of another origin read the answers?',
    why: 'Browser clients depend on it.',
    needs: anyAnswer,
    answer: crossOriginAnswer,
  },
  {
    id: 'transport/protocol',
    section: '1',
    question: 'Which HTTP version answers?',
    why: 'A change is the trace of another front server.',
    needs: anyAnswer,
    answer: protocolAnswer,
  },
];
