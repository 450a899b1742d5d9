import type { SendRequest } from '@candleproof/client/send/request-lines';
import { endsNow, findMaxRows, firstOperation, operationById } from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { Operation, Spec } from '@candleproof/document/spec/spec';
import { type Exchange, headerValues, type TargetFacts } from '@candleproof/law/reading/exchange';
import { errorRequest } from '../plan/error-requests.ts';
import { listTricks } from '../plan/key-tricks.ts';
import { mannerHeaders, namesTimes, orderPath } from '../plan/manner.ts';
import { computeRange, type Moment } from '../plan/moment.ts';
import type { PlannedRequest } from '../plan/planned-request.ts';
import { takeTurns } from '../plan/scope.ts';
import { type Keys, makeTrial } from '../plan/trial-keys.ts';

/** The facts that turn a planned request into one that can be sent. */
export type Occasion = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly keys: Keys;
  readonly moment: Moment;
  readonly exchanges: readonly Exchange[];
};

/** Path and query of a planned request at this moment. */
export function makePath(
  spec: Spec,
  { need, operation: id, pool, interval: given, manner }: Omit<PlannedRequest, 'credential'>,
  moment: Moment,
): string {
  const { inverted, range } = need;
  const operation = operationById(spec, id);
  const interval = given ?? (need.interval && spec.rungs[need.interval]);
  const times = range && interval && computeRange(range, interval.seconds, moment, operation);
  const path = buildPath(operation, {
    pool,
    interval: interval?.name,
    inverted,
    ...(namesTimes(need, operation) && times),
    ...(times && { limit: countRows(times, interval.seconds, operation) }),
  });
  if (need.speltOtherwise) return respellPath(path, moment.seed);
  return manner ? orderPath(path, manner) : path;
}

/** The request to send; undefined if it cannot be made here, such as a key that is wrong in its letters' case alone. */
export function makeRequest(planned: PlannedRequest, occasion: Occasion): SendRequest | undefined {
  const { need } = planned;
  const credential =
    planned.credential === 'api-key' && occasion.keys.apiKey === undefined ? 'none' : planned.credential;
  const trial = need.trial
    ? makeTrial(need.trial, occasion.keys, occasion.moment.seed, occasion.spec.keyPlaces?.[0])
    : {};
  const requested = need.errorCase
    ? errorRequest(need.errorCase, makeProper(planned, occasion))
    : {
        path: makePath(occasion.spec, planned, occasion.moment),
        ...(need.method && { method: need.method }),
      };
  if (!requested || !trial) return undefined;
  return {
    ...requested,
    ...trial,
    credential,
    ...(planned.manner && mannerHeaders(planned.manner)),
    ...(need.unkeyed && { headers: listTricks(need, occasion.spec.keyPlaces) }),
    freshConnection: need.freshConnection === true || planned.manner?.connection === 'new',
    ...(need.plainHttp && { plainHttp: true }),
    ...(planned.together && { unpaced: true }),
  };
}

/** Returns the rows to request if a limit can be given: all that the range may hold. */
function countRows({ from, to }: { from: number; to: number }, length: number, operation: Operation): number {
  const most = findMaxRows(operation, length);
  if (Number.isFinite(most) && endsNow(operation)) return most;
  return Math.min(Math.ceil((to - from) / length) + 1, most);
}

function makeProper(
  { operation: id, pool = 1 }: PlannedRequest,
  { spec, target, moment, exchanges }: Occasion,
) {
  const operation = operationById(spec, id);
  const { from, to } = computeRange('closed week', rungSeconds(spec.rungs, 'hour'), moment, operation);
  const tokens = `${target.baseUrl}${firstOperation(spec, 'tokens')?.path}`;
  const listed = exchanges.findLast(
    ({ request, response }) => request.url === tokens && response?.status === 200,
  );
  const [tag] = headerValues(listed?.response?.headers ?? [], 'etag');
  return { spec, target, operation, pool, from, to, tag };
}

/** The parts of a request that are spelt with codes in place of characters, one of them in a run. */
const spellings = ['path', 'values'] as const;

/** Returns an equivalent path under RFC 3986: parameters reordered, and characters percent-encoded. */
function respellPath(path: string, seed: number): string {
  const [part] = takeTurns(spellings, 1, seed);
  const turned = orderPath(path, { order: 'reversed' });
  // A value that begins with another character is encoded already.
  return turned.replace(part === 'path' ? /[A-Za-z]/ : /(?<==)[A-Za-z0-9]/g, encodeCharacter);
}

/** Returns the percent-encoding of an ASCII character. */
function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
