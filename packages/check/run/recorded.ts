import { operationById } from '@candleproof/document/spec/operation';
import { matchPath } from '@candleproof/document/spec/request-path';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';
import { type Exchange, headerValues, type TargetFacts } from '@candleproof/law/reading/exchange';
import { recognizeRequest } from '@candleproof/law/reading/requested';

/**
 * Reads a target from the exchanges of others: its base URL, and the pools requested. Others may have used the key too.
 * Undefined if no request is for any of the three operations.
 *
 * The text before an operation's path may be the API's base URL: a page whose address ends in `/tokens` gives one such
 * candidate. The chosen one has the most requests with a key or answers with quota headers; among equals, the most
 * requests for candles, whose paths no other site uses; then the most answers in JSON; then the most requests; then it
 * is the first in the alphabet.
 * @param given the base URL, if the caller knows it
 */
export function inferTarget(
  spec: Spec,
  exchanges: readonly Exchange[],
  given?: string,
): TargetFacts | undefined {
  const baseUrl = given ?? candidateBases(spec, exchanges)[0];
  if (baseUrl === undefined) return undefined;
  const requested = exchanges.flatMap(({ request, response }) => {
    const read = recognizeRequest(spec, baseUrl, request);
    return read ? [{ ...read, status: response?.status ?? 0 }] : [];
  });
  if (requested.length === 0) return undefined;
  const served = new Set(requested.flatMap(({ pool, status }) => (deniesPool.has(status) ? [] : [pool])));
  const pools: Record<string, PoolId[]> = {};
  for (const { operation, pool } of requested) {
    // A market that was refused each time may not be there, unless all were.
    if (pool === undefined || (served.size > 0 && !served.has(pool))) continue;
    const { space } = operationById(spec, operation);
    pools[space] = [...new Set([...(pools[space] ?? []), pool])];
  }
  return { name: new URL(baseUrl).hostname, baseUrl, pools, keyless: false, soleUser: false };
}

/** Statuses by which an API says that a market is not there. */
const deniesPool: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/** Returns whether an exchange is with the target, over HTTPS or plain HTTP. */
export function isWithin({ request: { url } }: Exchange, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/`) || url.startsWith(`${baseUrl.replace(/^https:/, 'http:')}/`);
}

/** Base URLs under which any of the operations was requested, the likeliest first. */
export function candidateBases(spec: Spec, exchanges: readonly Exchange[]): string[] {
  const signs = exchanges
    .filter(({ request: { method } }) => spec.operations.some((each) => method === (each.method ?? 'GET')))
    .flatMap((exchange) => readSigns(spec, exchange) ?? []);
  return [...Map.groupBy(signs, ({ base }) => base)]
    .map(([base, all]) => ({
      base,
      score: [
        all.filter((signs) => signs.isMarked).length,
        all.filter((signs) => signs.isOfCandles).length,
        all.filter((signs) => signs.isJson).length,
        all.length,
      ],
    }))
    .sort((a, b) => compareScores(b.score, a.score) || (a.base < b.base ? -1 : 1))
    .map(({ base }) => base);
}

function compareScores(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

type Signs = {
  readonly base: string;
  readonly isMarked: boolean;
  readonly isOfCandles: boolean;
  readonly isJson: boolean;
};

function readSigns(spec: Spec, { request, response }: Exchange): Signs | undefined {
  const found = findBase(spec, request.url);
  if (!found) return undefined;
  const headers = response?.headers ?? [];
  const hasQuota = Object.values(spec.quota).some((name) => headerValues(headers, name).length > 0);
  const [label = ''] = headerValues(headers, 'content-type');
  return {
    base: found.base,
    isMarked: hasQuota || request.credential !== 'unknown',
    isOfCandles: found.template.includes('{'),
    isJson: /\bjson\b/i.test(label) || /^\s*[[{]/.test(response?.body?.text ?? ''),
  };
}

/** The part of a URL before an operation's path. The longest path wins: one may end like another. */
function findBase(spec: Spec, text: string): { base: string; template: string } | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  const steps = pathname.replace(/\/$/, '').split('/');
  const templates = spec.operations
    .map((operation) => operation.path)
    .sort((a, b) => b.split('/').length - a.split('/').length);
  for (const template of templates) {
    const at = steps.length - template.replace(/\/$/, '').split('/').length + 1;
    if (at >= 1 && matchPath(template, `/${steps.slice(at).join('/')}`))
      return { base: origin + steps.slice(0, at).join('/'), template };
  }
  return undefined;
}
