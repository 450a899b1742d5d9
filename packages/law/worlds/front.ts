import type { HeaderLine } from '../reading/exchange.ts';
import type { Request } from './faulty-requests.ts';
import type { WorldMarket } from './market.ts';
import type { QuotaCounter } from './our-quota.ts';
import { answerValue } from './server.ts';
import type { World } from './world.ts';

export type Given = {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
  readonly quota: readonly HeaderLine[];
  readonly headers?: readonly HeaderLine[];
};

/** The counters of the run's key and of the second key. */
export type Counters = { readonly ours: QuotaCounter; readonly others: QuotaCounter };

/** A request, when it arrives by the server's clock in seconds, and the foreign requests before it. */
export type WorldVisit = {
  readonly request: Request;
  readonly path: string;
  readonly now: number;
  readonly foreign: number;
};

/** Answers a request: checks the key, then the quota, then the parameters. */
export function serve(world: World, market: WorldMarket, counters: Counters, visit: WorldVisit): Given {
  const { request, path, now, foreign } = visit;
  if (request.plainHttp) return makePlainAnswer(path);
  if (isRefused(world, request)) {
    if (world.refusalsCount) counters.ours.count(now);
    return { ...world.refusal, quota: emptyCounters(counters) };
  }
  const counter = request.credential === 'trial:other-key' ? counters.others : counters.ours;
  const fault = answerFault(world, request, path);
  const isSuccess = !fault || (fault.status === 200 && request.method === undefined);
  const isCounted = isSuccess || world.refusalsCount;
  const isServed = isCounted ? counter.count(now, 1 + foreign) : true;
  const quota = counter.headers();
  if (!isServed) return { status: 429, mediaType: 'text/plain', body: 'Too many requests', quota };
  if (fault) return { ...fault, quota };
  const answer = json(200, answerValue(world, market, correctPath(path), now));
  return { ...answer, quota, headers: world.tags ? [['etag', makeTag(answer.body)]] : [] };
}

/** Returns the path that a lenient service takes a faulty one for. */
function correctPath(path: string): string {
  const plain = path.startsWith('/tokens') ? '/tokens' : path;
  return plain.replace('interval=hour', 'interval=HOUR').replace('=TRUE', '=true').replace('.5&', '&');
}

function makeTag(body: string): string {
  let mixed = 0;
  for (let at = 0; at < body.length; at++) mixed = (Math.imul(mixed, 31) + body.charCodeAt(at)) | 0;
  return `"${mixed}"`;
}

function isRefused({ keyless }: World, { credential }: Request): boolean {
  if (keyless) return false;
  const isTrial = credential.startsWith('trial:');
  return credential === 'none' || (isTrial && !/other-key|header-in-capitals/.test(credential));
}

function json(status: number, value: unknown): Omit<Given, 'quota'> {
  return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Answers a faulty request, strictly or leniently; undefined for a proper request or one taken for it. */
function answerFault(
  world: World,
  { name, method }: Request,
  path: string,
): Omit<Given, 'quota'> | undefined {
  const refuse = (status: number): Omit<Given, 'quota'> => json(status, { message: 'Not so' });
  if (method === 'HEAD') return { ...json(200, ''), body: '' };
  if (method) return refuse(405);
  if (name === 'known tag') return { ...json(304, ''), body: '' };
  if (name === 'path-unknown') return { ...refuse(404), mediaType: 'text/html', body: '<p>Nothing here' };
  if (!isFaulty(path)) return undefined;
  const isUnknown = /\/\d{9,}\?/.test(path);
  if (!world.lenient) return refuse(isUnknown ? 404 : 400);
  const isHarmless = /interval=hour|inverted=TRUE|\.5|^\/tokens/.test(path);
  return isHarmless ? undefined : json(200, []);
}

function isFaulty(path: string): boolean {
  const query = path.split('?')[1];
  if (path.startsWith('/tokens')) return path !== '/tokens';
  const isRanged =
    !path.startsWith('/v2/') || /from=1[5-9]\d{8}&to=1[5-9]\d{8}(&|$)|to=1[5-9]\d{8}&from/.test(path);
  const isReversed = /from=(\d+)&to=(\d+)/.exec(path)?.slice(1).map(Number);
  const isOrdered = !isReversed || (isReversed[0] ?? 0) <= (isReversed[1] ?? 0);
  const isNamed = /interval=(FIVEMIN|HOUR|DAY|WEEK|%44AY)(&|$)/.test(query ?? '');
  return !isRanged || !isOrdered || !isNamed || /inverted=TRUE|\/-1\?|\/\d{9,}\?/.test(path);
}

function makePlainAnswer(path: string): Given {
  const location = `https://target.invalid/api${path}`;
  return { status: 301, mediaType: 'text/html', body: '', quota: [], headers: [['location', location]] };
}

/** Returns the counters of no account. */
function emptyCounters({ ours }: Counters): HeaderLine[] {
  const reported = (name: string): string => (name.endsWith('additional-total') ? '0' : '500');
  return ours.headers().map(([name, value]) => [name, name.endsWith('reset') ? value : reported(name)]);
}
