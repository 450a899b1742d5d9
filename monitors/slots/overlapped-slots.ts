import type { SlotRecord } from '../../results/probe-record.ts';

/** Collects slots that fall into a running probe: if that run fails, they count as failed too. */
export class OverlappedSlots {
  #waiting: SlotRecord[] | undefined;

  begin(): void {
    this.#waiting = [];
  }

  /** Adds a slot, and returns whether it has to wait for a running probe. */
  add(slot: SlotRecord): boolean {
    this.#waiting?.push(slot);
    return this.#waiting !== undefined;
  }

  /** Returns the slots that waited, with the failure of the run if it failed. */
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
