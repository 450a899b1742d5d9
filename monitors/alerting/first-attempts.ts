import { rateIndicator, type SlotRecord, unconfirmed } from '../results/probe-record.ts';
import { type Firing, type Slo, updateAlert, usualSlo } from './burn-rate.ts';
import { BurnWindow } from './burn-window.ts';
import type { Condition } from './cause.ts';

/**
 * The first attempts of one target: requests that fail and are repaired by a second try burn the budget of availability
 * for clients that do not try again, and nothing else shows them. Outages are not counted: they are an alert already.
 */
export class FirstAttempts {
  readonly target: string;
  readonly #slo: Slo;
  readonly #window: BurnWindow;
  #firing: readonly Firing[] = [];

  constructor(target: string, objective: number) {
    this.target = target;
    this.#slo = { ...usualSlo, objective };
    this.#window = new BurnWindow(this.#slo);
  }

  /** Adds a slot without a look at what follows: for slots that an earlier process saw. */
  restore(slot: SlotRecord): void {
    if (rateIndicator(slot, 'availability') !== 'good') return;
    const good = rateIndicator(unconfirmed(slot), 'availability') !== 'bad';
    this.#window.add({ at: slot.scheduledAt, good });
  }

  take(slot: SlotRecord, now: number): void {
    this.restore(slot);
    this.judge(now);
  }

  /** Decides at `now` (Unix ms) whether the budget burns. */
  judge(now: number): void {
    this.#firing = updateAlert(this.#window.viewBefore(now), this.#slo, { firing: this.#firing }, now).firing;
  }

  shift(by: number): void {
    this.#window.shift(by);
  }

  condition(now: number): Condition {
    const view = this.#window.viewBefore(now);
    const names = new Set(this.#firing.map(({ pair }) => pair));
    const counted = this.#slo.pairs
      .filter(({ name }) => names.has(name))
      .map(({ name, long }) => ({ pair: name, ...view.within(long) }));
    return {
      source: 'retries',
      subject: { target: this.target },
      holds: this.#firing.length > 0,
      severity: 'ticket',
      family: 'retries',
      words: () => {
        const all = counted
          .map(({ pair, bad, samples }) => `${bad} of ${samples} slots in ${pair}`)
          .join(', ');
        return `requests fail and are repaired by a second try: ${all}`;
      },
    };
  }
}
