import { LedgerUnavailable } from '../../http/ledger/ledger-store.ts';
import { exhaustionTime } from '../../planning/key-forecast.ts';
import { keyPaceName } from '../../results/known-states.ts';
import type { QuotaRecord } from '../../results/results-store.ts';
import type { Condition } from '../alerting/alert.ts';
import { formatMinute } from '../alerting/coverage.ts';
import { type KeyFacts, type MonitorPlan, monthDays } from '../plan/plan.ts';
import { QuotaPace } from '../plan/quota-pace.ts';
import type { Watch } from './watch.ts';

const day = 86_400_000;

/** A month that is planned to its end is used up around its reset: only a pace that is so much faster is reported. */
const tooFast = 1.1;

/** Returns the facts of the keys at an instant (Unix ms). */
type MonitorKeys = (now: number) => Promise<readonly KeyFacts[]>;

/** When a key's month will be used up; Unix ms, absent if the reset comes first. */
export type Exhaustion = { readonly key: string; readonly at?: number };

/** Decides the conditions that do not depend on slots: whose clock is wrong, and which quota will not last. */
export class Conditions {
  readonly #watch: Watch;
  readonly #keys: MonitorKeys;
  readonly #pace = new QuotaPace();
  readonly #kept = new Map<string, number>();
  /** Holds, by key, whether exhaustion is reported from here; absent before the first decision. */
  readonly #reports = new Map<string, boolean>();
  #exhaustions: readonly Exhaustion[] = [];
  /** The counters of the last days, oldest first, and since when only the reserve of a key is left. */
  #counters: readonly QuotaRecord[] = [];
  readonly #reached = new Map<string, number>();

  private constructor(watch: Watch, keys: MonitorKeys) {
    this.#watch = watch;
    this.#keys = keys;
  }

  /** Knows the counters of the last day again. */
  static async open(watch: Watch, keys: MonitorKeys): Promise<Conditions> {
    const conditions = new Conditions(watch, keys);
    const now = watch.clock.now();
    const kept = await watch.store.quotas({ from: now - 2 * day, to: now + 1 });
    conditions.#counters = kept.toSorted((a, b) => a.at - b.at);
    for (const { key, at, limit, remaining, resetAt: reset } of conditions.#counters) {
      conditions.#pace.note(key, { limit, remaining, reset }, at);
    }
    return conditions;
  }

  get exhaustions(): readonly Exhaustion[] {
    return this.#exhaustions;
  }

  async list(now: number, plan?: Pick<MonitorPlan, 'keys'>): Promise<Condition[]> {
    const known = await this.#keys(now);
    const paces = this.#listPaces(known, plan);
    await this.#keepPaces(paces);
    const before = new Set(this.#exhaustions.flatMap(({ key, at }) => (at === undefined ? [] : [key])));
    const months = known.map((facts) => ({
      facts,
      ends: this.#exhaustionCondition(facts, before.has(facts.name), paces.get(facts.name), now),
    }));
    this.#exhaustions = months.map(({ facts, ends }) => ({ key: facts.name, ...(ends && { at: ends }) }));
    const targets = [...this.#watch.targets.keys()];
    const exhaustions = months.map(async ({ facts, ends }) => {
      const condition = exhaustion(facts, ends, this.#reserveReached(facts, now), now);
      const { holds } = condition;
      if (holds === undefined || (await this.#mayReport(facts.name, holds))) return condition;
      return { ...condition, holds: holds ? undefined : false };
    });
    return [
      this.#monitorClock(now),
      ...targets.map((target) => this.#clockCondition(target, now)),
      ...(await Promise.all(exhaustions)),
    ];
  }

  /** Claims the report of a key that will not last, so that one of its holders pages, and gives it up afterwards. */
  async #mayReport(key: string, isShort: boolean): Promise<boolean> {
    const { targets, definition } = this.#watch;
    const account = [...targets.values()].find((target) => target.key?.name === key)?.key?.account;
    if (!account || (!isShort && this.#reports.get(key) === false)) return true;
    try {
      if (!isShort) await account.giveUpReport(definition.location);
      const mayReport = !isShort || (await account.claimReport(definition.location));
      this.#reports.set(key, isShort && mayReport);
      return mayReport;
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      // Decided once the ledger is available again.
      return false;
    }
  }

  /** Requests a day of all who hold a key, by its name; of slots that are shared the plan counts all. */
  #listPaces(
    known: readonly KeyFacts[],
    plan: Pick<MonitorPlan, 'keys'> | undefined,
  ): ReadonlyMap<string, number> {
    const isShared = this.#watch.definition.slots !== undefined;
    const paces = known.flatMap(({ name, othersPerDay = 0 }) => {
      const keyPlan = plan?.keys.find(({ key }) => key === name);
      const others = isShared ? 0 : othersPerDay;
      return keyPlan ? [[name, Math.round(keyPlan.requests / monthDays + others)] as const] : [];
    });
    return new Map(paces);
  }

  /** For reports, whose forecast is the same: they cannot know who else holds a key. */
  async #keepPaces(paces: ReadonlyMap<string, number>): Promise<void> {
    const fresh = [...paces].filter(([key, pace]) => this.#kept.get(key) !== pace);
    if (fresh.length === 0) return;
    for (const [key, pace] of fresh) this.#kept.set(key, pace);
    const states = fresh.map(([key, pace]) => [keyPaceName(key), pace]);
    await this.#watch.store.record({ states: Object.fromEntries(states) });
  }

  #exhaustionCondition(
    { name, account, shares }: KeyFacts,
    isShort: boolean,
    planned: number | undefined,
    now: number,
  ): number | undefined {
    if (!account || now >= account.reset) return undefined;
    this.#pace.note(name, account, now);
    const reserve = Math.floor((account.limit * shares.reserve) / 100);
    const forecast = this.#pace.forecast(name, account, reserve, planned, now);
    if (!forecast) return undefined;
    const isFast = exhaustionTime(account, reserve, forecast.perDay / tooFast, now) !== undefined;
    return isShort || isFast ? forecast.reserveAt : undefined;
  }

  /** Since when only the reserve is left, Unix ms: the oldest of the known counters that show it. */
  #reserveReached({ name, account, shares }: KeyFacts, now: number): number | undefined {
    if (!account) return undefined;
    const reserve = Math.floor((account.limit * shares.reserve) / 100);
    if (account.remaining > reserve) this.#reached.delete(name);
    else if (!this.#reached.has(name)) {
      const inMonth = this.#counters.filter(({ key, resetAt }) => key === name && resetAt === account.reset);
      const before = inMonth.findLastIndex(({ remaining }) => remaining > reserve);
      this.#reached.set(name, inMonth[before + 1]?.at ?? now);
    }
    return this.#reached.get(name);
  }

  #monitorClock(now: number): Condition {
    const { serverClocks, definition } = this.#watch;
    const words = serverClocks.monitorProblem(now);
    return {
      source: 'clock',
      subject: { monitor: definition.location },
      holds: words !== undefined,
      severity: 'ticket',
      words: words ?? '',
    };
  }

  /** An error of our clock is not blamed on a target, whatever was reported before. */
  #clockCondition(target: string, now: number): Condition {
    const { serverClocks } = this.#watch;
    const problem = serverClocks.targetProblem(target, now);
    return {
      source: 'clock',
      subject: { target },
      holds: serverClocks.hasDate(target) && problem?.whose !== 'ours' ? problem !== undefined : undefined,
      severity: 'ticket',
      words: problem?.words ?? '',
    };
  }
}

function exhaustion(
  { name, account }: KeyFacts,
  ends: number | undefined,
  reached: number | undefined,
  now: number,
): Condition {
  const left = `${account?.remaining} requests now; the quota is reset ${formatMinute(account?.reset ?? now)}`;
  return {
    source: 'exhaustion',
    subject: { account: name },
    holds: account === undefined ? undefined : ends !== undefined,
    severity: ends !== undefined && ends - now <= day ? 'page' : 'ticket',
    words:
      reached === undefined
        ? `only the reserve is left by ${formatMinute(ends ?? now)} at the present pace, ${left}\ndo: have its limit raised, or name fewer pools or rarer probes`
        : `only the reserve is left since ${formatMinute(reached)}, ${left}\ndo: have its limit raised; until then nothing is probed with it`,
    began: reached,
    // One message a day, however soon it ends.
    reminder: day,
  };
}
