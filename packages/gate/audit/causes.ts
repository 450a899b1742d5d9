import { day } from '@candleproof/document/spec/interval';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Judged } from '@candleproof/law/judge/judge';
import { capitalize } from '@candleproof/law/reading/words';
import { type Alike, groupAlike } from './alike.ts';
import type { Damage, DamageKind } from './damage.ts';
import { type PastTable, selectWithin } from './row-states.ts';

/** Intervals of a length that a cause concerns, of all that were read in its pools. */
export type Concerned = {
  readonly interval: string;
  /** Seconds. */
  readonly length: number;
  readonly intervals: number;
  readonly of: number;
};

/**
 * A reason of damaged ranges, one for all of them as far as the answers show it. The times are those of the
 * shortest intervals.
 */
export type Cause = Pick<Damage, 'kind' | 'certainty' | 'from' | 'to' | 'fromIso' | 'toIso'> & {
  readonly sentence: string;
  readonly pools: readonly PoolId[];
  readonly rules: readonly string[];
  /** The shortest intervals first. */
  readonly concerned: readonly Concerned[];
  /** Ranges of damage.ndjson, and the first of them. */
  readonly ranges: number;
  readonly example: Damage;
  /** Days on which rows are missing at one time, and all days from the first to the last of them. */
  readonly days?: { readonly missing: number; readonly of: number };
};

/** Sentences about ranges that no rule or explanation describes. */
const sentences: Readonly<Partial<Record<DamageKind, string>>> = {
  gap: 'Rows are missing',
  outage: 'Rows are missing, of which no other interval knows anything',
  spike: 'Prices are far from those beside them',
  jump: 'Prices jump and stay',
  line: 'Closes lie on a straight line',
  rounded: 'Closes lack their last digit',
  volume: 'Volumes are not those of a market',
  swapped: 'Open and close are exchanged',
  repeated: 'Rows repeat earlier ones',
  flat: 'Nothing moves',
};

const certainties: readonly Damage['certainty'][] = ['breach', 'unknown', 'suspicion'];

/** Names the cause of each range: an explanation of the judge, one time of day, or what the broken rule says. */
export function nameCauses(
  damage: readonly Damage[],
  judged: Pick<Judged, 'explanations' | 'findings' | 'appliedRules'>,
): Damage[] {
  const explain = nameExplanations(judged);
  const broken = new Map(judged.appliedRules.map(({ rule }) => [rule.id, rule.broken]));
  const habits = new Set(groupAlike(damage).flatMap((alike) => (isHabit(alike) ? alike : [])));
  const name = (one: Damage): string | undefined => {
    if (isMissing(one)) return habits.has(one) ? `${nameTimes(one)} is missing` : undefined;
    return explain(one) ?? one.rules.map((rule) => broken.get(rule)).find(Boolean);
  };
  return damage.map((one) => ({ ...one, cause: name(one) ?? sentences[one.kind] ?? capitalize(one.detail) }));
}

/** Share of the days from the first to the last on which rows have to be missing at one time of them to be a cause. */
const mostDays = 0.75;

function isHabit(alike: Alike): boolean {
  const { missing, of } = countDays(alike);
  return alike.length > 1 && missing >= mostDays * of;
}

/** Groups ranges by their causes, the gravest and most frequent first. */
export function groupCauses(damage: readonly Damage[], tables: readonly PastTable[]): Cause[] {
  const groups = Map.groupBy(damage, ({ certainty, cause }) => `${certainty} ${cause}`);
  return [...groups.values()]
    .flatMap((group) => describeCause(group, tables))
    .sort(
      (a, b) =>
        certainties.indexOf(a.certainty) - certainties.indexOf(b.certainty) || countAll(b) - countAll(a),
    );
}

/** Returns a function that finds the sentence of the explanation of a range. */
function nameExplanations({
  explanations = [],
  findings,
}: Pick<Judged, 'explanations' | 'findings'>): (damage: Damage) => string | undefined {
  const rules = new Map(findings.map(({ fingerprint, rule }) => [fingerprint, rule]));
  const all = explanations.map(({ sentence, interval, findings }) => {
    return { sentence, interval, rules: new Set(findings.map((name) => rules.get(name))) };
  });
  return (damage) =>
    all.find(
      (one) =>
        (one.interval === undefined || one.interval === damage.interval) &&
        damage.rules.some((rule) => one.rules.has(rule)),
    )?.sentence;
}

/** Returns whether a range is one of missing rows. */
export function isMissing({ kind }: Pick<Damage, 'kind'>): boolean {
  return kind === 'gap' || kind === 'outage';
}

/** `12:00 to 13:00`; the end of a day is 24:00. */
function nameTimes({ fromIso, toIso }: Damage): string {
  const [begin, end] = [fromIso, toIso].map((text) => text.slice(11, 16));
  return `${begin} to ${end === '00:00' ? '24:00' : end}`;
}

function describeCause(damage: readonly Damage[], tables: readonly PastTable[]): Cause[] {
  const [first] = damage;
  if (!first) return [];
  const shown = damage.filter(({ interval }) => interval === first.interval);
  const earliest = shown.reduce((best, one) => (one.from < best.from ? one : best), first);
  const latest = shown.reduce((best, one) => (one.to > best.to ? one : best), first);
  const { kind, certainty, cause: sentence = '' } = first;
  return [
    {
      ...{ sentence, kind, certainty, from: earliest.from, fromIso: earliest.fromIso },
      ...{ to: latest.to, toIso: latest.toIso },
      pools: [...new Set(damage.map(({ pool }) => pool))],
      rules: [...new Set(damage.flatMap(({ rules }) => rules))].sort(),
      concerned: countConcerned(damage, tables),
      ranges: damage.length,
      example: first,
      ...(isMissing(first) && sentence !== sentences[kind] && { days: countDays(damage) }),
    },
  ];
}

/** Counts the intervals that ranges cover, of all in the tables that they lie in. */
function countConcerned(damage: readonly Damage[], tables: readonly PastTable[]): Concerned[] {
  const counts = new Map<string, { interval: string; length: number; intervals: number; of: number }>();
  for (const { pool, interval, length, rows } of tables) {
    const found = damage.filter((one) => one.pool === pool && one.interval === interval);
    const starts = new Set(found.flatMap((one) => selectWithin(rows, one).map(({ start }) => start)));
    if (starts.size === 0) continue;
    const before = counts.get(interval) ?? { interval, length, intervals: 0, of: 0 };
    counts.set(interval, {
      ...before,
      intervals: before.intervals + starts.size,
      of: before.of + rows.length,
    });
  }
  return [...counts.values()].sort((a, b) => a.length - b.length);
}

function countDays(damage: readonly Damage[]): NonNullable<Cause['days']> {
  const days = new Set(damage.map(({ from }) => Math.floor(from / day)));
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const each of days) [first, last] = [Math.min(first, each), Math.max(last, each)];
  return { missing: days.size, of: last - first + 1 };
}

function countAll({ concerned }: Cause): number {
  return concerned.reduce((sum, { intervals }) => sum + intervals, 0);
}
