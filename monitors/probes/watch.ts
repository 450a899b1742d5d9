import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import type { AnnouncedWork } from '../plan/announced-work.ts';
import type { DeepProbe, Definition } from '../plan/definition.ts';
import { maintenanceEnd } from '../plan/maintenance.ts';
import type { ResultsStore } from '../results/results-store.ts';
import type { Clock } from './clock.ts';
import type { SelfCheck } from './self-check.ts';
import type { ServerClocks } from './server-clock.ts';
import type { WatchedTarget } from './watched-target.ts';

/** The parts that all probes of a monitor share. */
export type Watch = {
  readonly definition: Definition;
  readonly targets: ReadonlyMap<string, WatchedTarget>;
  readonly spec: Spec;
  readonly law: Catalogue;
  readonly version: string;
  readonly store: ResultsStore;
  readonly clock: Clock;
  readonly selfCheck: SelfCheck;
  readonly serverClocks: ServerClocks;
  /** Planned work that was announced by command, beside that of the definition. */
  readonly announced?: AnnouncedWork;
  /** Keeps a deep probe's run and returns its folder. */
  readonly keepRun?: (probe: DeepProbe, slot: number, outcome: RunOutcome) => string;
};

/** The day (YYYY-MM-DD, UTC) by which a baseline's end dates are read. */
export function currentDate({ clock }: Pick<Watch, 'clock'>): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/** Returns whether an instant (Unix ms) falls into planned work at a target. */
export function isPlannedWork(
  watch: Pick<Watch, 'definition' | 'announced'>,
  target: string,
  at: number,
): boolean {
  return plannedWorkEnd(watch, target, at) !== undefined;
}

/** Returns the end (Unix ms) of the current planned work at a target; undefined if there is none. */
export function plannedWorkEnd(
  { definition, announced }: Pick<Watch, 'definition' | 'announced'>,
  target: string,
  at: number,
): number | undefined {
  const all = [...definition.maintenance, ...(announced?.windows ?? [])];
  const windows = all.filter((window) => window.target === target);
  return maintenanceEnd(
    windows.map(({ window }) => window),
    at,
  );
}

/** Returns the command lines that request one rule's evidence from a target again. */
export function replayCommand({ words }: WatchedTarget): (rule: string) => string {
  return (rule) => `npx candleproof check ${words} --only ${rule}`;
}
