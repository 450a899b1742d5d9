import { reserveReason, slowedReason } from '../plan/allowance.ts';
import { day } from '../results/calendar.ts';
import { formatLimit, type SlotRecord } from '../results/probe-record.ts';
import { type Condition, ownFamily, quotaFamily } from './cause.ts';

/** Slots in a row without a judgement that are no accident: of a probe every 10 minutes, those of 12:00, 12:10 and 12:20. */
const fewestUnjudged = 3;

/** The reason of a slot that came into a run of which nothing is known yet. */
export const waitingReason = 'the run before it was still going';

/** Unjudged slots that are known one by one; older ones are only counted. */
const maxRecent = 20;

/** Until when a target was judged; plain JSON, kept over a restart. Planned instants in Unix ms. */
export type CoverageState = {
  readonly judged?: number;
  /** The newest slots after it that brought no judgement, how many they are in all, and since when. */
  readonly recent: readonly number[];
  readonly count: number;
  readonly since?: number;
  readonly why?: string;
  /** True if the newest of them was kept back by our own host, network or process. */
  readonly isOurs?: boolean;
};

/** Watches whether a target is judged at all: all other indicators count only slots that were judged. */
export class TargetCoverage {
  readonly target: string;
  /** The name of its key's account. */
  readonly #account: string | undefined;
  #begun: number;
  #seen: CoverageState;
  #blocked: number | undefined;
  /** The end of the last run that judged it, Unix ms: slots that fell into that run are not blind. */
  #seenUntil = Number.NEGATIVE_INFINITY;

  /** @param begun when this monitor began, Unix ms: for what was missed before its heartbeat speaks */
  constructor(
    target: string,
    begun: number,
    state: CoverageState = { recent: [], count: 0 },
    account: string | undefined = undefined,
  ) {
    this.target = target;
    this.#account = account;
    this.#begun = begun;
    this.#seen = state;
  }

  get seen(): CoverageState {
    return this.#seen;
  }

  /** Since when the target is not judged any more, Unix ms; undefined while it is. */
  get blindSince(): number | undefined {
    return this.#seen.count >= fewestUnjudged ? this.#seen.since : this.#blocked;
  }

  /** Since when (Unix ms) the monitor can judge nothing at all, whatever its slots say; undefined once it can. */
  block(since: number | undefined): void {
    this.#blocked = since;
  }

  /** A slot of any of the target's probes. */
  take(slot: SlotRecord): void {
    const { scheduledAt: at, outcome, state, reason } = slot;
    if (isJudged(slot)) {
      this.#seenUntil = Math.max(this.#seenUntil, slot.finishedAt ?? at);
      this.#addJudged(at);
    }
    // Slots that a short quota leaves out are a message about their key.
    else if (outcome === 'excluded' || state === 'shutdown' || reason === slowedReason) return;
    else if (state === 'overlap' && at <= this.#seenUntil) return;
    else if (state !== 'missed' || at >= this.#begun)
      this.#addUnjudged(at, unjudgedReason(slot), isOurs(slot));
  }

  /** Takes a slot that was judged before this process began. */
  restore(slot: SlotRecord): void {
    if (isJudged(slot)) this.#addJudged(slot.scheduledAt);
  }

  /** Called when the monitor runs again: slots that it missed do not make a target unjudged. */
  resume(now: number): void {
    this.#begun = now;
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    const { judged, since, recent, ...rest } = this.#seen;
    this.#begun += by;
    this.#seenUntil += by;
    this.#seen = {
      ...rest,
      recent: recent.map((instant) => instant + by),
      ...(judged !== undefined && { judged: judged + by }),
      ...(since !== undefined && { since: since + by }),
    };
  }

  get condition(): Condition {
    const { count, since = 0, why = '', isOurs: ours = false } = this.#seen;
    return {
      source: 'coverage',
      subject: { target: this.target },
      holds: count >= fewestUnjudged,
      severity: 'page',
      family: this.#family(why, ours),
      words: () => {
        const { count: slots, since: from = since, why: reason = why } = this.#seen;
        return `not judged since ${formatMinute(from)}, ${slots} slots: ${reason}`;
      },
      ...(count > 0 && { began: since }),
      lastGood: this.#seen.judged,
      // Its key has a message a day as well.
      ...(why === reserveReason && { reminder: day }),
    };
  }

  /** Whatever keeps us from judging is one cause for all targets; numbers in its words are theirs. */
  #family(why: string, ours: boolean): string {
    if (why === reserveReason && this.#account !== undefined) return quotaFamily(this.#account);
    return ours ? ownFamily : `coverage ${why.replaceAll(/\d+/g, '')}`;
  }

  #addJudged(at: number): void {
    const { recent, judged = at, since, ...rest } = this.#seen;
    const later = recent.filter((instant) => instant > at);
    const newest = Math.max(judged, at);
    // Slots that were planned before all of the unjudged ones change nothing of them.
    if (since !== undefined && at < since) this.#seen = { ...rest, recent, since, judged: newest };
    else if (later[0] === undefined) this.#seen = { judged: newest, recent: [], count: 0 };
    else this.#seen = { ...rest, judged: newest, recent: later, count: later.length, since: later[0] };
  }

  /** A slot that only waited for the run before it does not say what that waits for: the cause before stays. */
  #addUnjudged(at: number, why: string | undefined, ours: boolean): void {
    const { judged, recent, count, since } = this.#seen;
    if (judged !== undefined && at <= judged) return;
    this.#seen = {
      judged,
      recent: [...recent, at].toSorted((one, other) => one - other).slice(-maxRecent),
      count: count + 1,
      since: Math.min(since ?? at, at),
      why: why ?? this.#seen.why ?? 'the run before does not end',
      isOurs: ours,
    };
  }
}

/** An instant (Unix ms) for people. */
export function formatMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function isJudged({ outcome }: SlotRecord): boolean {
  return outcome === 'ok' || outcome === 'degraded' || outcome === 'failed';
}

/** Returns whether our host, network or process kept the slot from judging, rather than the key or the target. */
function isOurs({ outcome, state }: SlotRecord): boolean {
  return outcome === 'unknown' || state === 'missed';
}

function unjudgedReason({ outcome, reason, samples, state }: SlotRecord): string | undefined {
  if (state === 'overlap' && reason === waitingReason) return undefined;
  return reason ?? (outcome === 'limited' ? formatLimit(samples) : (outcome ?? state));
}

/** Lists the targets that are not judged any more, each since when (Unix ms): page, badges and metrics say so alike. */
export function listBlind(
  coverage: readonly TargetCoverage[],
): { readonly target: string; readonly since: number }[] {
  return coverage.flatMap(({ target, blindSince: since }) =>
    since === undefined ? [] : [{ target, since }],
  );
}
