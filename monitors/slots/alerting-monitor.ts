import { Alerts } from '../alerting/alerts.ts';
import type { Condition } from '../alerting/cause.ts';
import { Outbox } from '../alerting/deliver.ts';
import { Heartbeat } from '../alerting/heartbeat.ts';
import type { AlertMessage } from '../alerting/message.ts';
import type { Remark, RemarkBox } from '../alerting/remarks.ts';
import type { Send } from '../alerting/send.ts';
import { AnnouncedWork } from '../plan/announced-work.ts';
import { type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import { Monitor, type MonitorOptions } from './monitor.ts';
import type { TimeBreak } from './time-watch.ts';

export type AlertingMonitorOptions = Pick<
  MonitorOptions,
  'watch' | 'keys' | 'onSettled' | 'onTrouble' | 'isUnplanned' | 'disk'
> & {
  /** The environment that alert commands inherit, with the proxy's variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The remarks that people left for the monitor. */
  readonly remarks?: RemarkBox;
  /** Returns the conditions of the monitor's own host at an instant (Unix ms). */
  readonly ownConditions?: (now: number) => readonly Condition[];
  /** Sends a message to a sink; by default over the network, or by its command. */
  readonly send?: Send;
  /** Called with each message of an alert. */
  readonly onAlert?: (message: AlertMessage) => void;
  /** By default, made from the definition and the known facts of the keys. */
  readonly plan?: MonitorPlan;
};

/** Between two reads of the outbox, in ms. */
const deliverEvery = 5000;

/** Returns a follower for a user who runs probes by hand and reads their output: incidents are kept, no alert is. */
function followByHand(alerts: Alerts): MonitorOptions['follower'] {
  return {
    take: (...slots) => ({ incidents: alerts.take(...slots).incidents }),
    tick: () => ({}),
    isDue: () => false,
    advance: () => ({}),
    shift: () => ({}),
    resume: () => undefined,
    replan: () => undefined,
  };
}

async function makePlan({ watch, keys }: AlertingMonitorOptions, now: number): Promise<MonitorPlan> {
  return planMonitoring({ definition: watch.definition, keys: await keys(now), now });
}

/** A monitor with its alerts, their delivery and its heartbeat. */
export class AlertingMonitor {
  readonly monitor: Monitor;
  readonly alerts: Alerts;
  readonly #options: AlertingMonitorOptions;
  readonly #environment: AlertingMonitorOptions['environment'];
  readonly #outbox: Outbox;
  readonly #heartbeat: Heartbeat;
  readonly #end: AbortController;
  #delivered = Number.NEGATIVE_INFINITY;
  #lastTick: number | undefined;
  #delivery: Promise<unknown> = Promise.resolve();

  private constructor(
    options: AlertingMonitorOptions,
    monitor: Monitor,
    alerts: Alerts,
    outbox: Outbox,
    end: AbortController,
  ) {
    const { definition } = options.watch;
    this.monitor = monitor;
    this.alerts = alerts;
    this.#options = options;
    this.#environment = options.environment;
    this.#outbox = outbox;
    this.#end = end;
    this.#heartbeat = new Heartbeat(definition);
  }

  /** Continues after the last monitor on this store. */
  static async open(options: AlertingMonitorOptions): Promise<AlertingMonitor> {
    const { store, definition, clock, targets } = options.watch;
    const now = clock.now();
    const plan = options.plan ?? (await makePlan(options, now));
    const keys = [...targets.values()].flatMap(({ key }) => key ?? []);
    const keyNames = new Map(
      keys.map(({ name, isShared = false }) => [
        name,
        {
          isShared,
          targets: [...targets].flatMap(([target, { key }]) => (key?.name === name ? [target] : [])),
        },
      ]),
    );
    const announced = options.watch.announced ?? (await AnnouncedWork.read(store, now));
    const watch = { ...options.watch, announced };
    const alerts = await Alerts.open(store, definition, now, plan, keyNames);
    if (options.onAlert) alerts.onMessage = options.onAlert;
    const follower = options.isUnplanned ? followByHand(alerts) : alerts;
    const end = new AbortController();
    const { sinks } = definition.alerting;
    const outbox = new Outbox(store, sinks, {
      signal: end.signal,
      environment: options.environment,
      ...(options.send && { send: options.send }),
      remake: (message, at) => alerts.remake(message, at),
    });
    const names = sinks.map(({ name }) => name);
    const conditions = (at: number) => [
      ...outbox.health.conditions(names, at),
      ...(options.ownConditions?.(at) ?? []),
      ...announced.conditions(at),
    ];
    const monitor = await Monitor.open({ ...options, watch, plan, follower, conditions });
    options.disk?.onChange((since) => {
      alerts.block(since);
      if (since === undefined) alerts.resume(clock.now());
    });
    return new AlertingMonitor({ ...options, watch }, monitor, alerts, outbox, end);
  }

  /** By the steady clock, in ms; undefined before the first. */
  get lastTick(): number | undefined {
    return this.#lastTick;
  }

  /** The time until which each target was judged. */
  get coverage(): Alerts['coverage'] {
    return this.alerts.coverage;
  }

  /** Heartbeats that were sent, and that failed. */
  get heartbeats(): { readonly sent: number; readonly failed: number } {
    return this.#heartbeat.counts;
  }

  /**
   * To be called every second, with what broke the time since the call before. Resolves when what was due is written and
   * begun, not when it is over.
   */
  async tick(breaks: readonly TimeBreak[] = []): Promise<void> {
    const { clock } = this.#options.watch;
    await this.monitor.tick(breaks);
    for (const { kind, from, to } of breaks) if (kind === 'clock-set') await this.#outbox.shift(to - from);
    const steady = clock.steady();
    this.#lastTick = steady;
    if (steady - this.#delivered < deliverEvery) return;
    this.#delivered = steady;
    await this.#options.remarks?.empty((remarks) => this.takeRemarks(remarks));
    this.#deliver(clock.now());
  }

  /** Takes what people said. */
  takeRemarks(remarks: readonly Remark[]): Promise<void> {
    const { clock, announced } = this.#options.watch;
    return this.monitor.write(() => {
      const batch = this.alerts.remark(remarks, clock.now());
      announced?.note(batch.events);
      return batch;
    });
  }

  /** Must be called every second too, even while a tick waits for the disk. */
  beat(): void {
    const { disk, watch } = this.#options;
    const options = { now: watch.clock.now(), signal: this.#end.signal, environment: this.#environment };
    void disk?.tick(options);
  }

  /** Runs every probe once, one after the other. */
  runOnce(): Promise<SlotRecord[]> {
    return this.monitor.runOnce();
  }

  /** Resolves when no probe is running. */
  async idle(): Promise<void> {
    await this.monitor.idle();
    await this.#delivery;
  }

  /** Starts no more probes and aborts running ones after `graceMs`; undelivered alerts stay in the store. */
  async stop(graceMs: number): Promise<void> {
    await this.monitor.stop(graceMs);
    this.#end.abort();
    await this.#delivery;
  }

  #deliver(now: number): void {
    const { signal } = this.#end;
    const beat = this.#heartbeat.tick({ now, signal, environment: this.#environment }, this.alerts.coverage);
    const work = Promise.all([this.#outbox.deliverDue(now), beat]);
    this.#delivery = Promise.all([this.#delivery, work.catch(this.#options.onTrouble)]);
  }
}
