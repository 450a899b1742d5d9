import { LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { spendable } from '@candleproof/law/planning/allowance';
import { type Condition, quotaFamily } from '../alerting/cause.ts';
import { formatMinute } from '../alerting/coverage-conditions.ts';
import { exhaustionTime, quotaMonth } from '../plan/key-forecast.ts';
import { type KeyFacts, type MonitorPlan, monthDays } from '../plan/plan.ts';
import { QuotaPace } from '../plan/quota-pace.ts';
import { day } from '../results/calendar.ts';
import { keyPaceName } from '../results/known-states.ts';
import type { Watch } from './watch.ts';

/** A month that is planned to its end is used up around its reset: only a pace that is so much faster is reported. */
const tooFast = 1.1;

/** A smaller part of the slots counts as none. */
const leastPart = 0.005;

/** Returns the facts of the keys at an instant (Unix ms). */
export type MonitorKeys = (now: number) => Promise<readonly KeyFacts[]>;

/** When a key's month will be used up; Unix ms, absent if the reset comes first. */
export type Exhaustion = { readonly key: string; readonly at?: number };

/** A month that does not suffice: when and since when only the reserve is left, and the part of the slots that runs. */
type Shortage = { readonly ends?: number; readonly reached?: number; readonly runs: number };

/** Decides which key's month will not last, or does not pay for all slots. */
export class KeyConditions {
  readonly #watch: Watch;
  readonly #keys: MonitorKeys;
  readonly #pace = new QuotaPace();
  readonly #kept = new Map<string, number>();
  /** Holds, by key, whether exhaustion is reported from here; absent before the first decision. */
  readonly #reports = new Map<string, boolean>();
  /** Keys that were short at the last decision, and since when only the reserve of a key is left. */
  readonly #short = new Set<string>();
  readonly #reached = new Map<string, number>();
  #exhaustions: readonly Exhaustion[] = [];

  private constructor(watch: Watch, keys: MonitorKeys) {
    this.#watch = watch;
    this.#keys = keys;
  }

  /** Knows the counters of the last days again. */
  static async open(watch: Watch, keys: MonitorKeys): Promise<KeyConditions> {
    const conditions = new KeyConditions(watch, keys);
    const now = watch.clock.now();
    const kept = await watch.store.quotas({ from: now - 2 * day, to: now + 1 });
    for (const { key, at, limit, remaining, resetAt: reset } of kept.toSorted((a, b) => a.at - b.at)) {
      conditions.#pace.note(key, { limit, remaining, reset }, at);
    }
    return conditions;
  }

  /** The latest forecast of when the keys' months are used up. */
  get exhaustions(): readonly Exhaustion[] {
    return this.#exhaustions;
  }

  async list(now: number, plan?: Pick<MonitorPlan, 'keys'>): Promise<Condition[]> {
    const known = await this.#keys(now);
    const paces = this.#listPaces(known, plan);
    await this.#keepPaces(paces);
    const conditions: Condition[] = [];
    const exhaustions: Exhaustion[] = [];
    for (const facts of known) {
      const shortage = await this.#findShortage(facts, paces.get(facts.name), now);
      exhaustions.push({ key: facts.name, ...(shortage.ends !== undefined && { at: shortage.ends }) });
      const isShort = this.#isShort(facts.name, shortage);
      const foreign = isShort ? await this.#sumForeign(facts, now) : 0;
      const condition = exhaustion(facts, shortage, isShort, foreign, now);
      const { holds } = condition;
      const isOurs = holds === undefined || (await this.#mayReport(facts.name, holds));
      conditions.push(isOurs ? condition : { ...condition, holds: holds ? undefined : false });
    }
    this.#exhaustions = exhaustions;
    return conditions;
  }

  /** Sums up what others used of a key's month: who is short wants to know who spent. */
  async #sumForeign({ name, account }: KeyFacts, now: number): Promise<number> {
    if (!account) return 0;
    const span = { from: quotaMonth(account.reset).begin, to: now + 1 };
    const events = await this.#watch.store.events(span, ['foreign-use']);
    return events
      .filter(({ key }) => key === name)
      .reduce((sum, { detail }) => sum + (typeof detail.n === 'number' ? detail.n : 0), 0);
  }

  /** Returns whether a key's shortage is reported: a reported one stays until there is none at all. */
  #isShort(name: string, { ends, runs }: Shortage): boolean {
    const isShort = ends !== undefined || runs < (this.#short.has(name) ? 1 : 1 / tooFast);
    this.#short[isShort ? 'add' : 'delete'](name);
    return isShort;
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

  /** Requests a day of the plan, by the key's name; of slots that are shared it counts all. */
  #listPaces(
    known: readonly KeyFacts[],
    plan: Pick<MonitorPlan, 'keys'> | undefined,
  ): ReadonlyMap<string, number> {
    const paces = known.flatMap(({ name }) => {
      const keyPlan = plan?.keys.find(({ key }) => key === name);
      return keyPlan ? [[name, Math.round(keyPlan.requests / monthDays)] as const] : [];
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

  async #findShortage(facts: KeyFacts, planned: number | undefined, now: number): Promise<Shortage> {
    const { name, account, shares } = facts;
    if (!account || now >= account.reset) return { runs: 1 };
    this.#pace.note(name, account, now);
    const reserve = Math.floor((account.limit * shares.reserve) / 100);
    const needed = ((planned ?? 0) * (account.reset - now)) / day;
    const runs = needed > 0 ? Math.min(1, spendable(account, shares, 'monitor', now) / needed) : 1;
    const reached = await this.#reserveReached(name, account, reserve, now);
    const forecast = this.#pace.forecast(name, account, reserve, planned, now);
    if (!forecast) return { runs, reached };
    const isFast = exhaustionTime(account, reserve, forecast.perDay / tooFast, now) !== undefined;
    const wasShort = this.#exhaustions.some(({ key, at }) => key === name && at !== undefined);
    return { runs, reached, ends: wasShort || isFast ? forecast.reserveAt : undefined };
  }

  /** Since when only the reserve is left, Unix ms: the oldest of the month's last answers that show it. */
  async #reserveReached(
    name: string,
    { remaining, reset }: NonNullable<KeyFacts['account']>,
    reserve: number,
    now: number,
  ): Promise<number | undefined> {
    if (remaining > reserve) this.#reached.delete(name);
    else if (!this.#reached.has(name)) {
      let reached = now;
      for (let to = now + 1; to > quotaMonth(reset).begin; to -= day) {
        const quotas = await this.#watch.store.quotas({ from: to - day, to });
        const ofMonth = quotas
          .filter(({ key, resetAt }) => key === name && resetAt === reset)
          .toSorted((a, b) => a.at - b.at);
        const before = ofMonth.findLastIndex((quota) => quota.remaining > reserve);
        reached = ofMonth[before + 1]?.at ?? reached;
        if (before >= 0) break;
      }
      this.#reached.set(name, reached);
    }
    return this.#reached.get(name);
  }
}

function exhaustion(
  { name, account }: KeyFacts,
  shortage: Shortage,
  isShort: boolean,
  foreign: number,
  now: number,
): Condition {
  const { ends, reached, runs } = shortage;
  const left = `${account?.remaining} requests now; the quota is reset ${formatMinute(account?.reset ?? now)}${
    foreign > 0 ? `; ${foreign} requests of the month were not ours` : ''
  }`;
  const words = `${formatShortage(shortage)}, ${left}\ndo: ${
    reached === undefined
      ? 'have its limit raised, or name fewer pools or rarer probes'
      : 'have its limit raised; until then one slot a day is run with it'
  }`;
  return {
    source: 'exhaustion',
    subject: { account: name },
    holds: account === undefined ? undefined : isShort,
    severity: ends !== undefined && ends - now <= day ? 'page' : 'ticket',
    family: quotaFamily(name),
    words: () => words,
    began: reached,
    marks: runs < 1 / tooFast && reached === undefined ? ['slowed'] : [],
    // One message a day, however soon it ends.
    reminder: day,
  };
}

function formatShortage({ ends, reached, runs }: Shortage): string {
  if (reached !== undefined) return `only the reserve is left since ${formatMinute(reached)}`;
  if (runs < leastPart)
    return 'no slot is run, because the reserve and the shares of others leave too little';
  return [
    ...(runs < 1 / tooFast
      ? [`only ${Math.round(100 * runs)} % of the slots are run, so that the quota lasts`]
      : []),
    ...(ends === undefined ? [] : [`only the reserve is left by ${formatMinute(ends)} at the planned pace`]),
  ].join('; ');
}
