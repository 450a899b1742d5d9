import type { Condition } from '../alerting/cause.ts';
import type { DiskAlarm } from '../alerting/disk-alarm.ts';
import { ledgerStateName, ProbeAllowance } from '../plan/allowance.ts';
import { changedMonitoring } from '../plan/changed-plan.ts';
import { type KeyFacts, type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import { Conditions } from '../probes/conditions.ts';
import type { Exhaustion } from '../probes/key-conditions.ts';
import type { Watch } from '../probes/watch.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { RecordBatch } from '../results/results-store.ts';
import { type Follower, Recorder, type SettledSlots } from './recorder.ts';
import { ScheduledProbe } from './scheduled-probe.ts';
import { Absences, formatBreak, formatMoment, type TimeBreak } from './time-watch.ts';

export type MonitorOptions = {
  readonly watch: Watch;
  /** Returns the facts of the keys at an instant (Unix ms). */
  readonly keys: (now: number) => Promise<readonly KeyFacts[]>;
  /** The first plan; months of keys that pass make a new one. */
  readonly plan: MonitorPlan;
  /** Alerts and incidents: what follows from slots, and from the time alone. */
  readonly follower: Follower & {
    tick(now: number, conditions: readonly Condition[]): RecordBatch;
    /** Returns whether a message is due, and then the batch that has it. */
    isDue(now: number): boolean;
    advance(now: number): RecordBatch;
    /** Shifts the instants of open alerts after the clock was set by some ms. */
    shift(by: number): RecordBatch;
    /** Called when the monitor runs again: slots missed before `now` (Unix ms) do not count against a target. */
    resume(now: number): void;
    replan(plan: MonitorPlan): void;
  };
  readonly disk?: DiskAlarm | undefined;
  /** Returns further conditions that follow from the time alone. */
  readonly conditions?: (now: number) => readonly Condition[];
  readonly onSettled?: (settled: SettledSlots) => void;
  /** True if probes are run once, by hand: no slots are planned, so a later monitor misses none. */
  readonly isUnplanned?: boolean;
  /** Reported when the store takes nothing more. */
  readonly onTrouble: (error: unknown) => void;
};

/** Between two checks of what follows from the time alone, and at the store's upkeep, in ms. */
const followEvery = 30_000;
const tidyEvery = 3_600_000;

/** Runs all probes of a definition slot by slot; its owner calls `tick` every second. */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #recorder: Recorder;
  readonly #limits: Map<string, number>;
  readonly #conditions: Conditions;
  #plan: MonitorPlan;
  #probes: readonly ScheduledProbe[] = [];
  #isStopping = false;
  #upkeep: Promise<void> = Promise.resolve();
  readonly #absences = new Absences();
  /** By the steady clock. */
  #followed = Number.NEGATIVE_INFINITY;
  #tidied: number;

  private constructor(options: MonitorOptions, conditions: Conditions) {
    const { watch, follower, plan, onSettled = () => undefined } = options;
    this.#options = options;
    this.#conditions = conditions;
    this.#recorder = new Recorder(watch.store, follower, onSettled);
    this.#plan = plan;
    this.#limits = keyLimits(plan);
    this.#tidied = watch.clock.steady();
    const now = watch.clock.now();
    const why = `the monitor was not running until ${formatMoment(now)}`;
    this.#absences.add({ from: Number.NEGATIVE_INFINITY, to: now, why });
  }

  /** Continues after the last monitor on this store. */
  static async open(options: MonitorOptions): Promise<Monitor> {
    const monitor = new Monitor(options, await Conditions.open(options.watch, options.keys));
    const { watch, onTrouble, isUnplanned = false } = options;
    const { targets, definition } = watch;
    const recorder = monitor.#recorder;
    const allowance = new ProbeAllowance({
      targets,
      planned: () => monitor.#plan.probes,
      location: watch.definition.location,
      taken: await readTakenEvents(watch),
    });
    const probes: ScheduledProbe[] = [];
    for (const planned of monitor.#plan.probes) {
      const target = targets.get(planned.probe.target);
      if (!target) throw new RangeError(`no target is called "${planned.probe.target}"`);
      const explainMissed = (slot: number): string =>
        options.disk?.explainMiss(slot) ?? monitor.#absences.explainMiss(slot);
      const shared = {
        watch,
        allowance,
        recorder,
        onTrouble,
        isUnplanned,
        explainMissed,
      };
      probes.push(await ScheduledProbe.open({ planned, target, ...shared }));
    }
    monitor.#probes = probes;
    const now = watch.clock.now();
    const { location } = definition;
    // A monitor that is killed before a probe's first slot must remember that it was planned.
    await monitor.#recorder.write(() => ({
      events: [{ at: now, kind: 'monitor-started', detail: { location } }],
      states: Object.fromEntries(probes.flatMap((probe) => Object.entries(probe.state()))),
    }));
    return monitor;
  }

  get plan(): MonitorPlan {
    return this.#plan;
  }

  /** The latest forecast of when the keys' months are used up. */
  get exhaustions(): readonly Exhaustion[] {
    return this.#conditions.exhaustions;
  }

  /** Unix ms of the next slot of all. */
  get next(): number {
    return Math.min(...this.#probes.map(({ next }) => next));
  }

  /** Settles due slots and starts probes; resolves when that is written, before the runs end. */
  async tick(breaks: readonly TimeBreak[] = []): Promise<void> {
    await this.#reportDisk();
    for (const timeBreak of breaks) await this.#resume(timeBreak);
    const { clock } = this.#options.watch;
    const [now, steady] = [clock.now(), clock.steady()];
    const due = this.#probes.filter(({ next }) => next <= now);
    await Promise.all(due.map((scheduledProbe) => scheduledProbe.tick(now, this.#isStopping)));
    if (steady - this.#followed >= followEvery) {
      this.#followed = steady;
      await this.#updateAlerts(now);
    } else if (this.#options.follower.isDue(now)) {
      await this.#recorder.write(() => this.#options.follower.advance(now));
    }
    if (steady - this.#tidied >= tidyEvery) {
      this.#tidied = steady;
      this.#tidy(now);
    }
  }

  async #reportDisk(): Promise<void> {
    const events = this.#options.disk?.takeEvents() ?? [];
    if (events.length > 0) await this.#recorder.write(() => ({ events }));
  }

  /** Settles the slots that were due by the old clock; later slots follow the new one. */
  async #resume(broken: TimeBreak): Promise<void> {
    const { watch, follower } = this.#options;
    const { kind, from, to } = broken;
    if (broken.kind === 'clock-set') {
      const by = to - from;
      const { shown } = broken;
      await Promise.all(this.#probes.map((probe) => probe.resetClock(shown, shown + by, this.#isStopping)));
      watch.serverClocks.shift(by);
      this.#absences.shift(by);
      // A wrong clock must not delete records: tidies in an hour, if the clock is still the same.
      this.#tidied = watch.clock.steady();
      await this.#recorder.write(() => follower.shift(by));
    } else {
      this.#absences.add({ from, to, why: formatBreak(broken) });
      follower.resume(to);
    }
    const detail = { location: watch.definition.location, words: formatBreak(broken) };
    await this.#recorder.write(() => ({ events: [{ at: to, kind, detail }] }));
  }

  /** Writes in its turn what follows from neither slots nor time. */
  write(batch: () => RecordBatch): Promise<void> {
    return this.#recorder.write(batch);
  }

  /** Runs every probe once, one after the other. */
  async runOnce(): Promise<SlotRecord[]> {
    const slots: SlotRecord[] = [];
    for (const probe of this.#probes) slots.push(await probe.runOnce(this.#options.watch.clock.now()));
    return slots;
  }

  /** Resolves when no probe is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#probes.map((probe) => probe.idle()));
    await this.#upkeep;
  }

  /** Starts no more probes, and aborts running ones after `graceMs` of real time. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
    await Promise.all(this.#probes.map((probe) => probe.close()));
    if (!this.#options.isUnplanned) await this.tick();
    await this.#reportDisk();
    const now = this.#options.watch.clock.now();
    const { location } = this.#options.watch.definition;
    await this.#recorder.write(() => ({
      events: [{ at: now, kind: 'monitor-stopped', detail: { location } }],
    }));
    await this.#upkeep;
  }

  async #updateAlerts(now: number): Promise<void> {
    const further = this.#options.conditions?.(now) ?? [];
    const conditions = [...(await this.#conditions.list(now, this.#plan)), ...further];
    await this.#recorder.write(() => this.#options.follower.tick(now, conditions));
    await this.#replan(now);
  }

  /** Plans again if a limit changes, since probes may then run more or less often. */
  async #replan(now: number): Promise<void> {
    const facts = await this.#options.keys(now);
    const isKnown = facts.every(({ name, account }) => !account || account.limit === this.#limits.get(name));
    if (!isKnown) this.#makePlan(facts, now);
  }

  #makePlan(keys: readonly KeyFacts[], now: number): void {
    const { watch, follower } = this.#options;
    const next = planMonitoring({ definition: watch.definition, keys, now });
    this.#plan = changedMonitoring(this.#plan, now + 1, next);
    for (const [name, limit] of keyLimits(this.#plan)) this.#limits.set(name, limit);
    follower.replan(this.#plan);
    for (const [index, { plan }] of this.#plan.probes.entries()) this.#probes[index]?.replan(plan, now);
  }

  #tidy(now: number): void {
    const { watch, onTrouble } = this.#options;
    this.#upkeep = watch.store.tidy(now).catch(onTrouble);
  }
}

function keyLimits({ keys }: MonitorPlan): Map<string, number> {
  return new Map(keys.flatMap(({ key, limit }) => (key === undefined ? [] : [[key, limit]])));
}

async function readTakenEvents({ targets, store }: Watch): Promise<Map<string, number>> {
  const names = [...targets.values()].flatMap(({ key }) => (key ? [key.name] : []));
  const taken = new Map<string, number>();
  for (const name of names) taken.set(name, Number((await store.state(ledgerStateName(name))) ?? 0));
  return taken;
}
