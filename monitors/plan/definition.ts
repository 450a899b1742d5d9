import type { OperationRole } from '@candleproof/document/spec/roles';
import type { OperationId, PoolId } from '@candleproof/document/spec/spec';
import type { Indicator } from '../results/probe-record.ts';
import type { MaintenanceWindow } from './maintenance.ts';

/** When a probe is due: at a period in ms, by a cron expression in UTC, or as often as the quota allows. */
export type ProbeRhythm =
  | { readonly every: number }
  | { readonly cron: string }
  | { readonly every: 'budget' };

type Scheduled = {
  /** Unique within its target. */
  readonly name: string;
  readonly target: string;
  readonly rhythm: ProbeRhythm;
};

/** One operation, one request for each pool. */
export type LightProbe = Scheduled & {
  readonly kind: 'light';
  readonly operation: OperationId;
  readonly role: OperationRole;
  /** Empty for the token list. */
  readonly pools: readonly PoolId[];
  /** For the candle operations. */
  /** By its name in the document. */
  readonly interval?: string;
};

/** A small conformance run with a limit on its requests. */
export type DeepProbe = Scheduled & { readonly kind: 'deep'; readonly budget: number };

export type Probe = LightProbe | DeepProbe;

/** Returns the most requests that one slot of a probe takes, without confirmations. */
export function probeCost(probe: Probe): number {
  return probe.kind === 'deep' ? probe.budget : Math.max(1, probe.pools.length);
}

/** A promise to one's users about every target. `under` in ms: of latency the slowest good answer, of freshness the oldest. */
export type Objective = {
  readonly indicator: Indicator;
  /** A fraction such as 0.995. */
  readonly objective: number;
  readonly under?: number;
};

/** The receiver of alerts. Secrets were read from the environment or a file by the caller. */
export type Sink = {
  readonly name: string;
  /** The address of the monitors' page, which each message links. */
  readonly page?: string;
  /** The least severity that it takes, by default all. */
  readonly severity?: 'page' | 'ticket';
  /** The targets that it takes messages about, with the keys of these targets and the monitor itself; by default all. */
  readonly targets?: readonly string[];
} & (
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly form: 'plain' | 'slack';
      /** Signs each message, HMAC-SHA-256. */
      readonly secret?: string;
    }
  | { readonly kind: 'command'; readonly command: readonly string[] }
);

export type Alerting = {
  readonly sinks: readonly Sink[];
  /** Ms after which an open alert is reported again, by its severity. */
  readonly reminder: { readonly page: number; readonly ticket: number };
  /** The monitor's heartbeat: its period in ms, and the name of its sink. */
  readonly heartbeat?: { readonly sink: string; readonly every: number };
  /** Failures in a row of one operation that are an alert, whatever the budget says. */
  readonly failures?: number;
  /** The sink that gets a page which nobody acknowledged, and after how many ms. */
  readonly escalation?: { readonly sink: string; readonly after: number };
};

/** The share of one location in a grid: the slots whose number modulo `of` is `index`. */
export type SlotShare = { readonly index: number; readonly of: number };

/** The definition of a monitor. */
export type Definition = {
  readonly location: string;
  /** This location's share of a grid that several locations share; by default, each has a separate grid. */
  readonly slots?: SlotShare;
  /** host:port that has to be reachable before a target is blamed for not being so. */
  readonly control?: string;
  readonly probes: readonly Probe[];
  readonly objectives: readonly Objective[];
  readonly maintenance: readonly { readonly target: string; readonly window: MaintenanceWindow }[];
  /** Requests a month that targets without a key take, by their names; Infinity if nothing counts them. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Requests a month that the document's rate allows, if it counts none by the month; Infinity without a rate. */
  readonly uncounted?: number;
  readonly alerting: Alerting;
  /** The groups of targets, and the targets that others hang on, by the targets' names. */
  readonly groups?: Readonly<Record<string, string>>;
  readonly parents?: Readonly<Record<string, string>>;
  /** The addresses of what to do when a target is down, by its name. */
  readonly runbooks?: Readonly<Record<string, string>>;
};

/** Lists what a target hangs on, nearest first. */
export function listParents(target: string, { parents = {} }: Pick<Definition, 'parents'>): string[] {
  const all: string[] = [];
  for (let name = parents[target]; name !== undefined && !all.includes(name); name = parents[name])
    all.push(name);
  return all;
}

export const usualLocation = 'here';
