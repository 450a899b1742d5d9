import type { Choices } from './api/choices.ts';
import type { Distortion } from './api/distortion.ts';
import { answer } from './api/gate.ts';
import type { ApiRequest, Reply } from './api/message.ts';
import type { Profile } from './api/profiles.ts';
import type { Logger, Service } from './api/service.ts';
import { assembled } from './assemble.ts';
import { atOnce } from './soon.ts';
import type { KeyAllowance } from './store/accounts.ts';
import { SqliteStore } from './store/sqlite/sqlite-store.ts';

/** A service in memory for tests: no socket, and a clock that stands until it is set. */
export type Rig = {
  readonly service: Service;
  readonly store: SqliteStore;
  readonly key: string;
  /** Milliseconds; may be set to any instant between questions. */
  now: number;
  distortions: readonly Distortion[];
  /** Asks as the rig's own key unless set otherwise. */
  ask(target: string, request?: Partial<ApiRequest>): TextReply;
};

/** A reply whose body is read as text. */
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

/** Builds a service in memory whose market is `days` days old (2 unless set otherwise) at `now`. */
export function buildRig(options: RigOptions): Rig {
  const store = new SqliteStore();
  let { now } = options;
  const { days = 2, seed = 7, allowance, ...rest } = options;
  const service = assembled({
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
      const reply = atOnce(answer(service, { ...usual, ...request }));
      return { ...reply, body: String(reply.body) };
    },
  };
  return rig;
}

/** The first value of a header, compared without case. */
export function headerOf(reply: Reply, name: string): string | undefined {
  return reply.headers.find(([each]) => each.toLowerCase() === name)?.[1];
}
