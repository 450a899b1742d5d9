import { loadSpec } from '@candleproof/document/spec/load-spec';
import { Alerts } from '../alerting/alerts.ts';
import type { Definition, LightProbe } from '../plan/definition.ts';
import { type KeyFacts, planMonitoring } from '../plan/plan.ts';
import type { SelfCheck } from '../probes/self-check.ts';
import { ServerClocks } from '../probes/server-clock.ts';
import type { Watch } from '../probes/watch.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { ResultsStore } from '../results/results-store.ts';
import { Monitor } from '../slots/monitor.ts';
import { memoryStore } from './memory-store.ts';
import { type MovedClock, movedClock } from './watched-service.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const always = { from: 0, to: 9e15 } as const;

/** A Wednesday noon in the middle of a month. */
export const noon = Date.UTC(2026, 3, 15, 12);

/** One that finds nothing to say against itself. */
export const faultless: SelfCheck = {
  watch: (look) => look(async () => undefined),
  takeStall: () => 0,
};

export const shares = { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 };

/** A probe of the token list every minute, unless set otherwise. */
export function tokensProbe(target: string, more: Partial<LightProbe> = {}): LightProbe {
  const rhythm = { every: minute };
  return {
    kind: 'light',
    name: 'tokens',
    target,
    rhythm,
    operation: 'listTokens',
    role: 'tokens',
    pools: [],
    ...more,
  };
}

/** Returns a definition with these probes. */
export function makeDefinition(probes: Definition['probes'], more: Partial<Definition> = {}): Definition {
  const alerting = { sinks: [], reminder: { page: day, ticket: day } };
  return { location: 'here', probes, objectives: [], maintenance: [], alerting, ...more };
}

export type WatchingOptions = {
  readonly definition: Definition;
  readonly targets: readonly WatchedTarget[];
  readonly clock?: MovedClock;
  readonly store?: ResultsStore;
  readonly keys?: (now: number) => Promise<readonly KeyFacts[]>;
  readonly isUnplanned?: boolean;
} & Partial<Pick<Watch, 'law' | 'selfCheck'>>;

/** No rules: what is answered is right. */
export const lawless = { rules: [], questions: [] } as const;

const spec = loadSpec('openapi.yaml');

/** A monitor whose time is moved by hand. */
export class Watching {
  readonly store: ResultsStore;
  readonly clock: MovedClock;
  readonly monitor: Monitor;

  private constructor(store: ResultsStore, clock: MovedClock, monitor: Monitor) {
    this.store = store;
    this.clock = clock;
    this.monitor = monitor;
  }

  static async open(wanted: WatchingOptions): Promise<Watching> {
    const { definition, store = memoryStore(), clock = movedClock(noon) } = wanted;
    const { law = lawless, selfCheck = faultless, keys = async () => [], isUnplanned = false } = wanted;
    const targets = new Map(wanted.targets.map((target) => [target.facts.name, target]));
    const serverClocks = new ServerClocks();
    const monitor = await Monitor.open({
      watch: { definition, targets, spec, law, version: 'test', store, clock, selfCheck, serverClocks },
      keys,
      plan: planMonitoring({ definition, keys: await keys(clock.now()), now: clock.now() }),
      isUnplanned,
      follower: await Alerts.open(store, definition, clock.now()),
      onTrouble: (error) => {
        throw error;
      },
    });
    return new Watching(store, clock, monitor);
  }

  /** Looks at the clock at an instant. */
  async tick(now: number): Promise<void> {
    this.clock.set(now);
    await this.monitor.tick();
  }

  /** Goes to the next slot, never back, and waits until nothing is under way. */
  async slot(): Promise<SlotRecord | undefined> {
    await this.tick(Math.max(this.monitor.next, this.clock.now()));
    await this.monitor.idle();
    return (await this.slots()).at(-1);
  }

  /** Slot by slot until an instant. */
  async runUntil(end: number): Promise<void> {
    while (this.monitor.next < end) await this.slot();
  }

  slots(): Promise<readonly SlotRecord[]> {
    return this.store.slots(always);
  }

  /** Lists the outcome of each slot, or its state if it did not run. */
  async messages(): Promise<string[]> {
    return (await this.slots()).map(({ state, outcome }) => outcome ?? state);
  }
}
