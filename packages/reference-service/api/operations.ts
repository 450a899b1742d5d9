import { recover, type Soon, thenSoon } from '../soon.ts';
import type { MarketView } from '../store/stored-market.ts';
import { namesTag, type TaggedBody, tagBody } from './answer-cache.ts';
import { candleHistory, latestCandle } from './candles.ts';
import { bend, type RequestContext } from './distortion.ts';
import type { JsonObject, Reply, ReplyHeader } from './message.ts';
import type { Route } from './parameters.ts';
import { tokenRecord } from './records.ts';
import type { Service } from './service.ts';

/** Returns the data of a route, or 304 when the client already has it. Throws Refusal when there is no data. */
export function operationReply(service: Service, route: Route, context: RequestContext): Soon<Reply> {
  return thenSoon(readBody(service, route, context), (made) => dataReply(made, context));
}

/** Begins to read a body whose request a remote store still counts: the cache then has it for the reply. */
export function prepareReply(service: Service, route: Route, context: RequestContext): void {
  if (service.distortions().length > 0) return;
  // The reply reads it again, and reports what goes wrong.
  recover<TaggedBody | undefined>(
    () => readBody(service, route, context),
    () => undefined,
  );
}

function dataReply({ body, tag }: TaggedBody, context: RequestContext): Reply {
  const headers: ReplyHeader[] = [
    ['ETag', tag],
    ['Cache-Control', 'private, no-cache'],
  ];
  if (namesTag(context.request.ifNoneMatch, tag)) return { status: 304, headers, body: '' };
  const withType: ReplyHeader[] = [['Content-Type', 'application/json; charset=utf-8'], ...headers];
  return { status: 200, headers: withType, body };
}

/** Reads a body from the cache. Data changes at full minutes only, or with the store's version. */
function readBody(service: Service, route: Route, context: RequestContext): Soon<TaggedBody> {
  const distortions = service.distortions();
  if (distortions.length === 0) {
    const { now, request } = context;
    const minute = Math.floor(now / 60_000);
    return service.store.read((market) =>
      service.answerCache.read(request.target, `${minute} ${market.version}`, () =>
        makeBody(service, market, route, context),
      ),
    );
  }
  const now = bend(distortions, 'asOf', context.now, context);
  const made = service.store.read((market) => makeBody(service, market, route, { ...context, now }));
  return thenSoon(made, (healthy) => {
    const text = String(healthy.body);
    const bent = bend(distortions, 'body', text, context);
    return bent === text ? healthy : tagBody(bent);
  });
}

/** Returns the reply to a CORS preflight request. */
export function preflightReply(methods: string): Reply {
  const headers: ReplyHeader[] = [
    ['Allow', methods],
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', 'x-api-key, if-none-match'],
    ['Access-Control-Max-Age', '600'],
  ];
  return { status: 204, headers, body: '' };
}

function makeBody(service: Service, market: MarketView, route: Route, context: RequestContext): TaggedBody {
  const query = new URLSearchParams(context.request.target.split('?').slice(1).join('?'));
  switch (route.operation) {
    case 'listTokens':
      return tagBody(tokenList(service, market, context));
    case 'listV2PoolCandles':
      return candleHistory(service, market, route, query, context);
    case 'getLatestV1PoolCandle':
      return tagBody(latestCandle(service, market, route, query, context));
  }
}

/** Returns the token list as JSON (§4.1). */
function tokenList(service: Service, market: MarketView, context: RequestContext): string {
  const second = Math.floor(context.now / 1000);
  const hbarUsd = market.facts.hbarUsd(second) ?? 0;
  const records = market.tokens.listTokens(second).map((token) => tokenRecord(token, hbarUsd));
  const shown = service.choices.extraFields ? records.map(withExtraFields) : records;
  return JSON.stringify(bend(service.distortions(), 'tokens', shown, context));
}

function withExtraFields(record: JsonObject): JsonObject {
  return { ...record, name: `Token ${record.id}`, createdAt: null };
}
