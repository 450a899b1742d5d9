import { pathOf } from '../contract/asked.ts';
import { type Exchange, headerValues, type TargetFacts } from '../contract/exchange.ts';
import { operationFor } from '../contract/operation.ts';
import type { Spec } from '../contract/spec.ts';
import type { SendRequest } from '../http/request-lines.ts';
import { errorRequest } from './error-requests.ts';
import { type Moment, rangeOf } from './moment.ts';
import type { PlannedRequest } from './planned-request.ts';
import { type Keys, trialOf } from './trial-keys.ts';

/** What turns a plan's request into one that can be sent. */
export type Occasion = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly keys: Keys;
  readonly moment: Moment;
  readonly exchanges: readonly Exchange[];
};

/** Path and query of a planned request at this moment. */
export function pathFor(spec: Spec, { need, pool }: PlannedRequest, moment: Moment): string {
  const { role, interval, inverted } = need;
  const path = pathOf(operationFor(spec, role), {
    pool,
    interval,
    inverted,
    ...(need.range && interval && rangeOf(need.range, interval, moment)),
  });
  return need.speltOtherwise ? otherSpelling(path) : path;
}

/** The request to send; undefined where it cannot be made here, such as a key that is wrong in its letters' case alone. */
export function requestFor(planned: PlannedRequest, occasion: Occasion): SendRequest | undefined {
  const { need } = planned;
  const credential =
    planned.credential === 'api-key' && occasion.keys.apiKey === undefined ? 'none' : planned.credential;
  const trial = need.trial ? trialOf(need.trial, occasion.keys, occasion.moment.seed) : {};
  const asked = need.errorCase
    ? errorRequest(need.errorCase, properOf(planned, occasion))
    : { path: pathFor(occasion.spec, planned, occasion.moment), ...(need.method && { method: need.method }) };
  if (!asked || !trial) return undefined;
  return {
    ...asked,
    ...trial,
    credential,
    freshConnection: need.freshConnection === true || isAlone(planned),
    ...(need.plainHttp && { plainHttp: true }),
    ...(planned.together && { unpaced: true }),
  };
}

/** Two of the closed answers come over new connections, so that counters kept by connection show. */
function isAlone({ need, together }: PlannedRequest): boolean {
  return !together && (need.range === 'first half' || need.range === 'instant');
}

function properOf({ pool = 1 }: PlannedRequest, { spec, target, moment, exchanges }: Occasion) {
  const { from, to } = rangeOf('closed week', 'HOUR', moment);
  const tokens = `${target.baseUrl}${operationFor(spec, 'tokens').path}`;
  const listed = exchanges.findLast(
    ({ request, response }) => request.url === tokens && response?.status === 200,
  );
  const [tag] = headerValues(listed?.response?.headers ?? [], 'etag');
  return { spec, target, pool, from, to, ...(tag !== undefined && { tag }) };
}

/** The same request to whoever reads URLs as RFC 3986 has it: another order, and a letter written as its code. */
function otherSpelling(path: string): string {
  const [place, query = ''] = path.split('?');
  const turned = query.split('&').toReversed().join('&');
  return `${place}?${turned.replace(/interval=(.)/, (_, letter: string) => `interval=${percent(letter)}`)}`;
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}
