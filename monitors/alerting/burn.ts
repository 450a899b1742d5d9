import type { Objective } from '../plan/definition.ts';
import { formatFailure, type ProbeFailure, rateIndicator, type SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import { BadRows } from './bad-rows.ts';
import { type Slo, updateAlert, usualSlo } from './burn-rate.ts';
import { type BurnState, calm, followSlot, settleFiring, shiftState } from './burn-state.ts';
import { BurnWindow } from './burn-window.ts';
import { type AlertedOutage, formatOutage } from './burn-words.ts';
import type { AlertFacts, Condition, Scattered, Severity } from './cause.ts';
import { OutageStarts } from './outage-starts.ts';
import { SeenDamage } from './seen-damage.ts';

/** Times the pace at which a pair pages: at 6 times, a budget of 30 days is used up in five. */
const pagingFactor = 6;

/** One objective at one target, seen from one location: the condition that its error budget burns. */
export class BurnSource {
  readonly target: string;
  readonly objective: Objective;
  readonly #rows: BadRows;
  readonly #starts = new OutageStarts();
  readonly #damage = new SeenDamage();
  readonly #window: BurnWindow;
  #slo: Slo;
  #state = calm;

  /** @param inRow bad slots in a row of one probe that are an alert, whatever the budget says */
  constructor(target: string, objective: Objective, inRow = Number.POSITIVE_INFINITY) {
    this.#rows = new BadRows(inRow);
    this.target = target;
    this.objective = objective;
    this.#slo = { ...usualSlo, objective: objective.objective };
    this.#window = new BurnWindow(this.#slo);
  }

  /** Sets the mean time between slots, in ms. */
  setCadence(cadence: number | undefined): void {
    const { objective } = this.objective;
    this.#slo = { ...usualSlo, objective, cadence };
  }

  get isFiring(): boolean {
    return this.#state.firing.length > 0;
  }

  /** Undefined while there is nothing to remember. */
  get state(): BurnState | undefined {
    const { outage } = this.#state;
    if (!this.isFiring && !outage) return undefined;
    return { ...this.#state, rows: this.#rows.counts, newest: this.isFiring ? this.#window.newest() : [] };
  }

  /** @param horizon Unix ms; slots have already reported everything later */
  restore({ rows = {}, ...state }: BurnState, horizon: number): void {
    this.#state = state;
    this.#rows.restore(rows);
    for (const sample of state.newest) if (sample.at < horizon) this.#window.remember(sample);
  }

  /** Returns whether the slot is evidence for this objective. */
  add(slot: SlotRecord): boolean {
    if (slot.series.target !== this.target) return false;
    const said = rateIndicator(slot, this.objective.indicator);
    if (said === undefined) return false;
    const isBad = said === 'bad';
    this.#window.add({ at: slot.scheduledAt, good: !isBad });
    this.#starts.add(slot.scheduledAt, isBad);
    this.#rows.add(slot.series, isBad);
    if (this.objective.indicator === 'correctness') this.#damage.add(slot);
    return true;
  }

  /** Takes a slot that `add` took or not, with the incident of this objective as it is after it. */
  follow(slot: SlotRecord, incident: IncidentRecord | undefined): void {
    if (slot.series.target !== this.target) return;
    const said = rateIndicator(slot, this.objective.indicator);
    this.#state = followSlot(this.#state, slot, { said, incident, isRowFull: this.#rows.isFull });
  }

  /** Returns whether its last slot fell into planned work that an outage has not outlived yet. */
  get isInWork(): boolean {
    return this.#state.isAfterWork === true;
  }

  /** Decides at `now` (Unix ms) whether the budget burns. */
  judge(now: number): void {
    const { firing: before } = this.#state;
    const view = this.#window.viewBefore(now);
    const { firing } = updateAlert(view, this.#slo, { firing: before }, now);
    this.#state = settleFiring(this.#state, firing);
  }

  /** The condition at `now` (Unix ms); its words have the figures of the time at which they are requested. */
  condition(now: number, since: number | undefined, incident: IncidentRecord | undefined): Condition {
    const { outage, past, outages, mostSlots = 0, marks, isInRow = false } = this.#state;
    const { indicator } = this.objective;
    const isBad = outage !== undefined && (this.isFiring || isInRow);
    const rules = isBad && indicator === 'correctness' ? this.#damage.list(now, since) : [];
    const [failure] = incident?.failures ?? [];
    return {
      ...{ source: indicator, subject: { target: this.target }, holds: isBad, severity: this.#severity },
      family: failure === undefined ? indicator : nameFamily(failure),
      words: (at) => this.#words(rules, incident, at),
      facts: (at) => this.#facts(incident, at),
      incident: incident?.id,
      lastGood: incident?.lastGood,
      marks: [...rules, ...marks],
      mayReturn: this.isFiring,
      ...(isBad && { began: outage.since, scattered: this.#findScattered(outage, now) }),
      ...(!outage && past && { ended: past.end }),
      isShort: isBad && outage.slots < 2 && outages > 1 && mostSlots < 2,
    };
  }

  #words(rules: readonly string[], incident: IncidentRecord | undefined, now: number): string {
    const { outage, past } = this.#state;
    const { indicator } = this.objective;
    const shown = { outage: outage ?? past, incident, isOver: outage === undefined };
    return formatOutage({ indicator, windows: this.#countWindows(now), rules, ...shown });
  }

  #facts(incident: IncidentRecord | undefined, now: number): AlertFacts {
    const { outage, past } = this.#state;
    const { objective, under } = this.objective;
    const began = (outage ?? past)?.since;
    return {
      ...{ objective, under, windows: this.#countWindows(now) },
      ...(incident && { incident: incident.id, failures: incident.failures }),
      ...(began !== undefined && { began: new Date(began).toISOString() }),
    };
  }

  /** Short outages that fired together, none of them by itself. */
  #findScattered({ slots }: AlertedOutage, now: number): Scattered | undefined {
    const long = Math.max(
      0,
      ...this.#state.firing.map(({ pair }) => this.#slo.pairs.find(({ name }) => name === pair)?.long ?? 0),
    );
    const { bad } = this.#window.viewBefore(now).within(long);
    return this.#starts.findScattered(
      { since: now - long, now, slots, slotsBefore: bad - slots },
      this.#slo.cadence,
    );
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    this.#window.shift(by);
    this.#damage.shift(by);
    this.#starts.shift(by);
    this.#state = shiftState(this.#state, by);
  }

  get #severity(): Severity {
    if (this.#state.isInRow) return 'page';
    const factor = (name: string): number => this.#slo.pairs.find((pair) => pair.name === name)?.factor ?? 0;
    return this.#state.firing.some(({ pair }) => factor(pair) >= pagingFactor) ? 'page' : 'ticket';
  }

  #countWindows(now: number) {
    const view = this.#window.viewBefore(now);
    return this.#state.firing.flatMap(({ pair }) => {
      const { long = 0 } = this.#slo.pairs.find(({ name }) => name === pair) ?? {};
      const { bad, samples } = view.within(long);
      return long > 0 ? [{ pair, bad, slots: samples }] : [];
    });
  }
}

/** Failures of one family may have one cause: all that brings no answer is one. */
function nameFamily(failure: ProbeFailure): string {
  return failure.phase === 'status' || failure.phase === 'contract' ? formatFailure(failure) : 'no answer';
}
