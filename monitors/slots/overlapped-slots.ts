import type { SlotRecord } from '../../results/probe-record.ts';

/** Slots that came during a probe run: where it ends without what was requested, so would they have. */
export class OverlappedSlots {
  #waiting: SlotRecord[] | undefined;

  begin(): void {
    this.#waiting = [];
  }

  /** Tells whether a run is under way that the slot has to wait for. */
  add(slot: SlotRecord): boolean {
    this.#waiting?.push(slot);
    return this.#waiting !== undefined;
  }

  /** Those that waited, as the run that ended has it. */
  end({ outcome, failure, rules }: SlotRecord): SlotRecord[] {
    const waited = this.#waiting ?? [];
    this.#waiting = undefined;
    if (outcome !== 'failed') return waited;
    const reason = 'the run before it was still going, and failed';
    return waited.map((slotRecord) => ({
      ...slotRecord,
      outcome,
      rules,
      reason,
      ...(failure && { failure }),
    }));
  }
}
