import type { KeyAccount } from '@candleproof/client/ledger/account';
import { LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import type { Reservation } from '@candleproof/client/ledger/reservation';
import type { Client } from '@candleproof/client/send/client';
import type { WatchedTarget } from '../probes/watched-target.ts';
import type { EventRecord, Json } from '../results/results-store.ts';
import { probeCost } from './definition.ts';
import type { PlannedProbe } from './plan.ts';
import { recheckProbe } from './recheck.ts';
import { probeId } from './slot-plan.ts';

type Sender = Pick<Client, 'send'>;

/** Sends for a granted slot: with a client that counts each request, until its end. */
type Sending = { client(inner: Sender): Sender; end(): Promise<void> };

/** Requests per ms of all slots of a key's probes, those of other locations included if they share a grid, and the id of the probe that may recheck the key from its reserve. */
type KeyUse = { readonly pace: number; readonly recheck?: string | undefined };

/** A skipped slot's state and reason. */
export type Skip = { readonly state: 'quota-skipped' | 'quota-unknown'; readonly reason: string };

/** The decision about a slot; `credit` belongs in the request of the probe's next slot. */
type Granted =
  | ({ readonly verdict: 'run'; readonly credit: number } & Sending)
  | { readonly verdict: 'skip'; readonly credit: number; readonly why: Skip };

/** Why the account of a key skips a slot. */
type SkipReason = Extract<Awaited<ReturnType<KeyAccount['ask']>>, { verdict: 'skip' }>['why'];

/** The reason of a slot that would take of a reserve; slots are so until somebody raises the limit, or the month ends. */
export const reserveReason = 'the reserve and the shares of others leave too little';

/** The reason of a slot that is left out so that the key's month lasts. */
export const slowedReason = 'the quota is short: fewer slots are run';

const skips: Readonly<Record<SkipReason, Skip>> = {
  reserve: { state: 'quota-skipped', reason: reserveReason },
  pace: { state: 'quota-skipped', reason: slowedReason },
  unknown: { state: 'quota-unknown', reason: 'the quota of the key is not known yet' },
};

/** Grants requests of the keys to probes, slot by slot. */
export class ProbeAllowance {
  readonly #targets: ReadonlyMap<string, WatchedTarget>;
  readonly #planned: () => readonly PlannedProbe[];
  readonly #location: string;
  /** Serial number of the newest ledger event that was taken over, by key. */
  readonly #taken: Map<string, number>;
  #uses: { readonly of?: readonly PlannedProbe[]; readonly byKey: ReadonlyMap<string, KeyUse> } = {
    byKey: new Map(),
  };

  constructor(options: {
    readonly targets: ReadonlyMap<string, WatchedTarget>;
    readonly planned: () => readonly PlannedProbe[];
    readonly location: string;
    readonly taken: ReadonlyMap<string, number>;
  }) {
    this.#targets = options.targets;
    this.#planned = options.planned;
    this.#location = options.location;
    this.#taken = new Map(options.taken);
  }

  /** May this slot run at `now` (Unix ms)? What it may send is reserved until it ends. */
  async grant({ probe }: PlannedProbe, credit: number, now: number): Promise<Granted> {
    const key = this.#targets.get(probe.target)?.key;
    if (!key?.account)
      return { verdict: 'run', credit: 0, client: (inner) => inner, end: async () => undefined };
    try {
      const { pace, recheck } = this.#keyUse(key.name);
      const ask = {
        ...{ purpose: 'monitor' as const, cost: probeCost(probe), pace, credit },
        location: this.#location,
        ...{ isDear: probe.kind === 'deep', mayRecheck: probeId(probe) === recheck },
      };
      if (key.allowOverage)
        return { verdict: 'run', credit: 0, ...permitSending(await key.account.reserveAnyway(ask.cost)) };
      const granted = await key.account.ask(ask, key.shares, now);
      if (granted.verdict === 'skip') return { ...granted, why: skips[granted.why] };
      return { verdict: 'run', credit: granted.credit, ...permitSending(granted.reservation) };
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      return {
        verdict: 'skip',
        credit,
        why: { state: 'quota-skipped', reason: `the ledger of the key cannot be used: ${error.message}` },
      };
    }
  }

  /** One more request, to confirm a failure. */
  async confirmingSender({ probe }: PlannedProbe, inner: Sender, now: number): Promise<Sender | undefined> {
    const key = this.#targets.get(probe.target)?.key;
    if (!key?.account) return inner;
    const ask = { purpose: 'confirm' as const, cost: 1, credit: 1, location: this.#location };
    try {
      const granted = await key.account.ask(ask, key.shares, now);
      if (granted.verdict === 'skip' && !key.allowOverage) return undefined;
      const { client, end } = permitSending(
        granted.verdict === 'run' ? granted.reservation : await key.account.reserveAnyway(ask.cost),
      );
      return { send: (request) => client(inner).send(request).finally(end) };
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      // The counters keep the values that were read.
      return undefined;
    }
  }

  /** Returns the events of the key's counters since they were last read, and the state that keeps the place. */
  async readEvents({
    probe,
  }: PlannedProbe): Promise<{ events: EventRecord[]; states: Record<string, Json> }> {
    const key = this.#targets.get(probe.target)?.key;
    if (!key?.account) return { events: [], states: {} };
    const { account } = key;
    const found = (await undefinedIfUnavailable(() => account.events(this.#taken.get(key.name) ?? 0))) ?? [];
    const last = found.at(-1)?.serial;
    if (last === undefined) return { events: [], states: {} };
    this.#taken.set(key.name, last);
    const events = found.map(({ event: { at, kind, ...detail } }) => ({ at, kind, key: key.name, detail }));
    return { events, states: { [ledgerStateName(key.name)]: last } };
  }

  /** Added up once for each plan. */
  #keyUse(key: string): KeyUse {
    const planned = this.#planned();
    if (planned !== this.#uses.of) {
      const names = Map.groupBy(planned, ({ probe }) => this.#targets.get(probe.target)?.key?.name);
      const uses = [...names].flatMap(([name, all]) =>
        name === undefined ? [] : [[name, summarizeUse(all)] as const],
      );
      this.#uses = { of: planned, byKey: new Map(uses) };
    }
    return this.#uses.byKey.get(key) ?? { pace: 0 };
  }
}

function permitSending(reservation: Reservation): Sending {
  return {
    client: (inner) => reservation.client(inner),
    end: async () => {
      // If the ledger cannot take it now, the reservation counts as spent for a while.
      await undefinedIfUnavailable(() => reservation.end());
    },
  };
}

function summarizeUse(planned: readonly PlannedProbe[]): KeyUse {
  const pace = planned.reduce((sum, { probe, period }) => sum + probeCost(probe) / period, 0);
  const recheck = recheckProbe(planned);
  return { pace, recheck: recheck && probeId(recheck) };
}

/** Returns the name of the state that keeps how far a key's events are read. */
export function ledgerStateName(key: string): string {
  return `ledger ${key}`;
}

async function undefinedIfUnavailable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    return undefined;
  }
}
