import { after, type Soon } from '../soon.ts';
import type { MarketView } from '../store/market-view.ts';
import { candleHistory, latestCandle } from './candles.ts';
import { bend, type Circumstance } from './distortion.ts';
import { namesTag } from './entity-tag.ts';
import { type TaggedBody, tagged } from './kept-answers.ts';
import type { Reply, ReplyHeader } from './message.ts';
import type { Route } from './routes.ts';
import type { Service } from './service.ts';
import { tokenList } from './tokens.ts';

/** The data behind a route, or 304 when the caller already has it. Throws a Refusal when there is none to give. */
export function operationReply(service: Service, route: Route, circumstance: Circumstance): Soon<Reply> {
  return after(answered(service, route, circumstance), (made) => dataReply(made, circumstance));
}

function dataReply({ body, tag }: TaggedBody, circumstance: Circumstance): Reply {
  const headers: ReplyHeader[] = [
    ['ETag', tag],
    ['Cache-Control', 'private, no-cache'],
  ];
  if (namesTag(circumstance.request.ifNoneMatch, tag)) return { status: 304, headers, body: '' };
  const withType: ReplyHeader[] = [['Content-Type', 'application/json; charset=utf-8'], ...headers];
  return { status: 200, headers: withType, body };
}

/** Observations stand at full minutes: until the next one, or a change in the store, the same is answered again. */
function answered(service: Service, route: Route, circumstance: Circumstance): Soon<TaggedBody> {
  const distortions = service.distortions();
  if (distortions.length === 0) {
    const { now, request } = circumstance;
    const minute = Math.floor(now / 60_000);
    return service.store.read((market) =>
      service.keptAnswers.read(request.target, `${minute} ${market.version}`, () =>
        operationBody(service, market, route, circumstance),
      ),
    );
  }
  const now = bend(distortions, 'asOf', circumstance.now, circumstance);
  const made = service.store.read((market) =>
    operationBody(service, market, route, { ...circumstance, now }),
  );
  return after(made, (healthy) => {
    const text = String(healthy.body);
    const bent = bend(distortions, 'body', text, circumstance);
    return bent === text ? healthy : tagged(bent);
  });
}

/** What a browser is reported before it asks with a key from another origin. */
export function preflightReply(methods: string): Reply {
  const headers: ReplyHeader[] = [
    ['Allow', methods],
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', 'x-api-key, if-none-match'],
    ['Access-Control-Max-Age', '600'],
  ];
  return { status: 204, headers, body: '' };
}

function operationBody(
  service: Service,
  market: MarketView,
  route: Route,
  circumstance: Circumstance,
): TaggedBody {
  const query = new URLSearchParams(circumstance.request.target.split('?').slice(1).join('?'));
  switch (route.operation) {
    case 'listTokens':
      return tagged(tokenList(service, market, circumstance));
    case 'listV2PoolCandles':
      return candleHistory(service, market, route, query, circumstance);
    case 'getLatestV1PoolCandle':
      return tagged(latestCandle(service, market, route, query, circumstance));
  }
}
