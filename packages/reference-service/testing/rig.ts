import type { Choices } from '../api/choices.ts';
import type { Distortion } from '../api/distortion.ts';
import { answer } from '../api/gate.ts';
import { replyToPlainHttp } from '../api/listener.ts';
import type { ApiRequest, Reply } from '../api/message.ts';
import type { Logger, Service } from '../api/service.ts';
import type { Profile } from '../assemble.ts';
import { assembleService } from '../assemble.ts';
import { requireNow, type Soon } from '../soon.ts';
import type { KeyAllowance } from '../store/accounts.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';

/** A service in memory without a socket, and with a clock that moves only when set. */
export type Rig = {
  readonly service: Service;
  readonly store: SqliteStore;
  readonly key: string;
  /** Unix ms; can be set between requests. */
  now: number;
  distortions: readonly Distortion[];
  /** Sends a request, by default with the rig's key. */
  ask(target: string, request?: Partial<ApiRequest>): TextReply;
  /** Replies to a request as it is, over HTTPS or plain HTTP. */
  reply(request: ApiRequest): Reply;
};

/** A reply with its body as text. */
export type TextReply = Reply & { readonly body: string };

export type RigOptions = {
  readonly now: number;
  /** Age of the simulated market in days. */
  readonly days?: number;
  readonly seed?: number;
  readonly profile?: Profile;
  readonly choices?: Partial<Choices>;
  readonly allowance?: KeyAllowance;
  readonly logger?: Logger;
};

/** Builds a service in memory whose market is `days` days old (default 2) at `now`. */
export function buildRig(options: RigOptions): Rig {
  const store = new SqliteStore();
  let { now } = options;
  const { days = 2, seed = 7, allowance, ...rest } = options;
  const service = assembleService({
    ...rest,
    store,
    distortions: () => rig.distortions,
    clock: () => now,
    seed,
    days,
  });
  const key = store.keys.issue(allowance ?? { monthlyLimit: 10_000, hardCap: false });
  const rig: Rig = {
    service,
    store,
    key,
    get now() {
      return now;
    },
    set now(instant) {
      now = instant;
    },
    distortions: [],
    ask: (target, request) => {
      const usual = { method: 'GET', target, apiKey: key, ifNoneMatch: undefined, client: '127.0.0.1', now };
      const reply = requireNow(answer(service, { ...usual, ...request }));
      return { ...reply, body: String(reply.body) };
    },
    reply: (request) =>
      requireNow(request.plain ? replyToPlainHttp(service, request) : answer(service, request)),
  };
  return rig;
}

/** Returns a function that answers requests from the data of any store, without a socket. `clock` returns Unix ms. */
export async function answerFrom(
  store: Store,
  clock: () => number,
): Promise<(request: ApiRequest) => Soon<Reply>> {
  const service = await assembleService({ store, distortions: () => [], clock, days: 1 });
  return (request) => answer(service, request);
}

/** Returns the first value of a header; names are case-insensitive. */
export function findHeader(reply: Reply, name: string): string | undefined {
  return reply.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}
