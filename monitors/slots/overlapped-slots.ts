import type { Phase } from '@candleproof/law/reading/exchange';
import { waitingReason } from '../alerting/coverage-conditions.ts';
import { formatLimit, type SlotRecord } from '../results/probe-record.ts';

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

  /** Returns the slots that waited, with the failure of the run if it failed, or else with what it waited for itself. */
  end(run: SlotRecord): SlotRecord[] {
    const { outcome, failure, rules } = run;
    const waited = this.#waiting ?? [];
    this.#waiting = undefined;
    const reason = explainWait(run);
    if (outcome !== 'failed') return waited.map((slotRecord) => ({ ...slotRecord, reason }));
    return waited.map((slotRecord) => ({
      ...slotRecord,
      outcome,
      rules,
      reason,
      ...(failure && { failure }),
    }));
  }
}

const phaseNames: Readonly<Record<Phase, string>> = {
  dns: 'the name',
  connect: 'a connection',
  tls: 'TLS',
  send: 'sending',
  wait: 'the answer',
  receive: 'the body',
};

/** Returns why a run was still going when the next slot came. */
function explainWait({ outcome, reason, samples, startedAt, finishedAt }: SlotRecord): string {
  if (outcome === 'failed') return `${waitingReason}, and failed`;
  if (outcome === 'limited') return reason ?? formatLimit(samples);
  if (startedAt === undefined || finishedAt === undefined || outcome === 'unknown')
    return reason ?? waitingReason;
  const took = `the run before it took ${formatSeconds(finishedAt - startedAt)}`;
  const phases = Object.keys(phaseNames) as Phase[];
  const sums = phases.map((phase) => ({
    phase,
    ms: samples.reduce((sum, { timings }) => sum + (timings[phase] ?? 0), 0),
  }));
  const [most] = sums.toSorted((one, other) => other.ms - one.ms);
  if (!most || most.ms < (finishedAt - startedAt) / 2) return took;
  return `${took}, ${formatSeconds(most.ms)} of it waiting for ${phaseNames[most.phase]}`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
