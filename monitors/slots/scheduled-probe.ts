import { waitingReason } from '../alerting/coverage-conditions.ts';
import type { ProbeAllowance } from '../plan/allowance.ts';
import type { PlannedProbe } from '../plan/plan.ts';
import type { SlotPlan } from '../plan/slot-plan.ts';
import { ConfirmedFinding } from '../probes/confirmed-finding.ts';
import { emptyRun, type ProbeRun } from '../probes/probe-run.ts';
import { isPlannedWork, type Watch } from '../probes/watch.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';
import type { ProbeSeries, SlotRecord } from '../results/probe-record.ts';
import type { EventRecord } from '../results/results-store.ts';
import { OverlappedSlots } from './overlapped-slots.ts';
import type { Recorder } from './recorder.ts';
import {
  probeSeries,
  progressState,
  readProgress,
  type SlotProgress,
  unfinishedSlot,
} from './slot-progress.ts';
import { runSlot } from './slot-run.ts';

/** A slot is run at most so late, in ms: later it is missed, and nothing is caught up. */
const mostLate = 30_000;

/** Later than any slot, Unix ms. */
const endOfTime = 8.64e15;

export type ScheduledOptions = {
  readonly planned: PlannedProbe;
  readonly target: WatchedTarget;
  readonly watch: Watch;
  readonly recorder: Recorder;
  readonly allowance: ProbeAllowance;
  readonly isUnplanned: boolean;
  /** Returns why a slot (Unix ms) was missed. */
  readonly explainMissed: (slot: number) => string;
  /** Reported when a slot cannot be written: nothing that follows would be true. */
  readonly onTrouble: (error: unknown) => void;
};

/** Runs one probe at its slots and gives each planned instant exactly one row. */
export class ScheduledProbe {
  readonly series: ProbeSeries;
  readonly #options: ScheduledOptions;
  readonly #client: ReturnType<WatchedTarget['connect']>;
  #plan: SlotPlan;
  #progress: SlotProgress;
  #next: number;
  #running: Promise<void> | undefined;
  #started: number | undefined;
  /** Later slots that have their row, from before the clock was set back. */
  readonly #taken = new Set<number>();
  readonly #overlaps = new OverlappedSlots();
  readonly #confirmed = new ConfirmedFinding();
  #isGivenUp = false;

  private constructor(options: ScheduledOptions, progress: SlotProgress) {
    const { planned, watch, target } = options;
    this.#options = options;
    this.series = probeSeries(planned.probe, watch.definition.location);
    this.#client = target.connect();
    this.#plan = planned.plan;
    this.#progress = progress;
    this.#next = planned.plan.next(progress.until);
  }

  /** Continues after the last monitor and reports the run that it left unfinished. */
  static async open(options: ScheduledOptions): Promise<ScheduledProbe> {
    const { planned, watch, recorder } = options;
    const { location } = watch.definition;
    const now = watch.clock.now();
    const { running, ...progress } = await readProgress(watch.store, planned.plan.id, location, now);
    const probe = new ScheduledProbe(options, progress);
    await probe.#resumeAfter(Math.min(progress.until, now));
    if (running)
      await recorder.settle([unfinishedSlot(probe.series, running)], now, { states: probe.state() });
    return probe;
  }

  /** Other slots after `now` (Unix ms), until which all are settled: the quota is another one. */
  replan(plan: SlotPlan, now: number): void {
    this.#plan = plan;
    this.#progress = { ...this.#progress, until: Math.max(this.#progress.until, now) };
    this.#next = plan.next(this.#progress.until);
  }

  /**
   * Continues after the clock was set from one instant (Unix ms) to another: settles due slots, ignores instants that
   * the clock skipped, and gives no instant a second row.
   */
  async resetClock(from: number, to: number, isStopping: boolean): Promise<void> {
    await this.tick(from, isStopping);
    await this.#resumeAfter(to);
    if (this.#started !== undefined) this.#taken.add(this.#started);
  }

  async #resumeAfter(until: number): Promise<void> {
    const later = await this.#options.watch.store.slots({ from: until + 1, to: endOfTime }, this.series);
    for (const { scheduledAt } of later) this.#taken.add(scheduledAt);
    this.#progress = { ...this.#progress, until };
    this.#next = this.#plan.next(until);
  }

  /** Unix ms of the first slot that is not settled. */
  get next(): number {
    return this.#next;
  }

  /** Settles the slots that are due at `now` (Unix ms); the last of them is started, if it may be. */
  async tick(now: number, isStopping: boolean): Promise<void> {
    const due = this.#plan
      .list(this.#progress.until + 1, now + 1)
      .filter((slot) => !this.#taken.delete(slot));
    this.#next = this.#plan.next(now);
    this.#progress = { ...this.#progress, until: Math.max(this.#progress.until, now) };
    const last = due.at(-1);
    const isTimely = last !== undefined && now - last <= Math.min(mostLate, this.#plan.period / 2);
    const isRun = isTimely && !isStopping && this.#running === undefined;
    const skipped = (isTimely ? due.slice(0, -1) : due).map((slot) =>
      this.#row(slot, { state: 'missed', reason: this.#options.explainMissed(slot) }),
    );
    if (isTimely && isStopping)
      skipped.push(this.#row(last, { state: 'shutdown', reason: 'the monitor was stopping' }));
    else if (isTimely && !isRun) await this.#overlap(last, skipped);
    // A process that ends before the last slot is noted must not have recorded that it is settled.
    const written = this.#settle(skipped, now, isRun ? { until: last - 1 } : {});
    if (isRun) this.#start(last, written);
    await written;
  }

  /** Writes the row of an overlapped slot at once; the result of the current run is added when that ends. */
  async #overlap(slot: number, settled: SlotRecord[]): Promise<void> {
    const row = this.#row(slot, { state: 'overlap', reason: waitingReason });
    const { watch, planned, recorder } = this.#options;
    const isApart = isPlannedWork(watch, planned.probe.target, slot);
    if (isApart || !this.#overlaps.add(row)) settled.push(row);
    else await recorder.write(() => ({ slots: [row], states: this.state() }));
  }

  /** Runs once, now, regardless of the plan. */
  async runOnce(now: number): Promise<SlotRecord> {
    return this.#run(now);
  }

  /** Resolves when no probe is running. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Aborts the current probe run. */
  async close(): Promise<void> {
    this.#isGivenUp = true;
    await this.#client.close();
    await this.#running;
  }

  #start(slot: number, after: Promise<void>): void {
    this.#overlaps.begin();
    this.#started = slot;
    this.#running = after
      .then(() => this.#run(slot))
      .then(() => undefined, this.#options.onTrouble)
      .finally(() => {
        this.#running = undefined;
        this.#started = undefined;
      });
  }

  async #run(slot: number): Promise<SlotRecord> {
    const { watch, planned, target, allowance, recorder } = this.#options;
    const [startedAt, begun] = [watch.clock.now(), watch.clock.steady()];
    const isApart = isPlannedWork(watch, planned.probe.target, slot);
    if (isApart) return this.#finish(slot, startedAt, { ...emptyRun, outcome: 'excluded' });
    const granted = await allowance.grant(planned, this.#progress.credit, startedAt);
    this.#progress = { ...this.#progress, credit: granted.credit };
    if (granted.verdict === 'skip') {
      const skipped = this.#row(slot, granted.why);
      await this.#settle([skipped, ...this.#overlaps.end(skipped)], startedAt);
      return skipped;
    }
    this.#progress = { ...this.#progress, running: { slot, startedAt } };
    await recorder.write(() => ({ states: this.state() }));
    if (watch.clock.steady() - begun > mostLate) return granted.end().then(() => this.#miss(slot));
    const result = await runSlot(
      {
        ...{ planned, target, slot, allowance, confirmed: this.#confirmed },
        ...{ client: granted.client(this.#client), ungranted: this.#client },
      },
      watch,
      () => this.#isGivenUp,
    ).finally(granted.end);
    return this.#finish(slot, startedAt, result);
  }

  /** Misses a slot whose note waited so long for the disk that a run would come too late. */
  async #miss(slot: number): Promise<SlotRecord> {
    const { running: _, ...progress } = this.#progress;
    this.#progress = progress;
    const row = this.#row(slot, { state: 'missed', reason: this.#options.explainMissed(slot) });
    await this.#settle([row, ...this.#overlaps.end(row)], this.#options.watch.clock.now());
    return row;
  }

  async #finish(slot: number, startedAt: number, result: ProbeRun): Promise<SlotRecord> {
    const { watch, planned, allowance, recorder } = this.#options;
    const { quotas, events, pins, isReset, states, evidence, ...seen } = result;
    const now = watch.clock.now();
    const record = { ...this.#row(slot, { state: 'run', startedAt, finishedAt: now }), ...seen };
    const { running: _done, ...progress } = this.#progress;
    this.#progress = progress;
    const reported = await allowance.readEvents(planned);
    await recorder.settle([record, ...this.#overlaps.end(record)], now, {
      quotas,
      events: [...events, ...reported.events.map((event) => withOwnCount(event, record))],
      pins,
      ...(isReset && { unpinned: [planned.probe.target] }),
      states: { ...this.state(), ...reported.states, ...states },
      evidence,
    });
    return record;
  }

  #row(slot: number, more: Pick<SlotRecord, 'state'> & Partial<SlotRecord>): SlotRecord {
    return { series: this.series, scheduledAt: slot, rules: [], samples: [], ...more };
  }

  async #settle(slots: readonly SlotRecord[], now: number, other?: Partial<SlotProgress>): Promise<void> {
    if (slots.length > 0) await this.#options.recorder.settle(slots, now, { states: this.state(other) });
  }

  /** Returns its progress, as the store keeps it over a restart. */
  state(other?: Partial<SlotProgress>) {
    const { planned, watch, isUnplanned } = this.#options;
    if (isUnplanned) return {};
    return progressState(planned.plan.id, watch.definition.location, { ...this.#progress, ...other });
  }
}

/** Adds how many requests were ours to a use by others: as many may be a double count. */
function withOwnCount(event: EventRecord, { samples }: SlotRecord): EventRecord {
  if (event.kind !== 'foreign-use') return event;
  return { ...event, detail: { ...event.detail, ours: samples.length } };
}
