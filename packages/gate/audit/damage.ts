import { stamp } from '@candleproof/document/spec/interval';
import { type Rung, type Rungs, rungNames } from '@candleproof/document/spec/roles';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { type DamagedRange, type RowDamage, ruleFacts } from '@candleproof/law/rules/facts';
import type { Rule } from '@candleproof/law/rules/rule';
import type { GateRange } from '../gated.ts';

/**
 * Damage to rows, and beside it outage: a gap of which the longer candles know nothing either; flat and those of doubts:
 * suspicions; unread: was not requested, or was refused.
 */
export type DamageKind = Exclude<RowDamage, 'none'> | DoubtKind | 'outage' | 'flat' | 'unread';

/** Kinds of suspicions that a table's rows can be under too. */
export type DoubtKind = 'spike' | 'jump' | 'line' | 'rounded' | 'volume' | 'swapped' | 'repeated';

/** breach: a rule is broken. suspicion: unlikely, not impossible. unknown: not examined. */
type Certainty = 'breach' | 'suspicion' | 'unknown';

/** The severity of a suspicion, as of a table. */
type Odds = Pick<GateRange, 'severity' | 'isBeyondChance'>;

/** One place, as it was found: usually one candle's interval. Unix seconds, the end not included. */
export type Mark = Odds & {
  readonly pool: PoolId;
  readonly interval: Rung;
  readonly from: number;
  readonly to: number;
  readonly kind: DamageKind;
  readonly rule?: string;
  /** The fact of its rule: see rule.ts. */
  readonly explains?: Rule['explains'];
  readonly detail: string;
  /** Nothing decides which of these lengths is wrong: this is one of them. */
  readonly suspects?: readonly Rung[];
};

/** A damaged range of one pool's history in one interval; a line of damage.ndjson. */
export type Damage = DamagedRange<DamageKind, Certainty> &
  Odds & {
    readonly target: string;
    readonly pool: PoolId;
    /** A sentence about the damage that all ranges of one cause share. */
    readonly cause?: string;
  };

const certainties: Readonly<Partial<Record<DamageKind, Certainty>>> = {
  ...{ spike: 'suspicion', jump: 'suspicion', flat: 'suspicion', line: 'suspicion', rounded: 'suspicion' },
  ...{ volume: 'suspicion', swapped: 'suspicion', repeated: 'suspicion' },
  unread: 'unknown',
};

type Place = Omit<Mark, 'rule'> & { readonly rules: readonly string[] };

/** Merges marks into ranges, sorted by pool, interval and time: neighbors of one kind that break the same rules are one. */
export function mergeMarks(target: string, marks: readonly Mark[], rungs: Rungs): Damage[] {
  const nameRung = (rung: Rung): string => rungs[rung]?.name ?? rung;
  const series = Map.groupBy(marks, (mark) => `${mark.pool} ${mark.interval} ${mark.kind}`);
  const ranges = [...series.values()].flatMap((marks) => joinNeighbors(mergePlaces(marks)));
  return ranges
    .sort((a, b) => comparePools(a.pool, b.pool) || rank(a) - rank(b) || a.from - b.from || a.to - b.to)
    .map(({ pool, interval, from, to, kind, rules, detail, suspects, severity, isBeyondChance }) => ({
      target,
      pool,
      interval: nameRung(interval),
      from,
      to,
      fromIso: stamp(from),
      toIso: stamp(to),
      kind,
      certainty: certainties[kind] ?? 'breach',
      rules,
      detail,
      ...(suspects && { suspects: suspects.map(nameRung) }),
      ...(severity && { severity }),
      ...(isBeyondChance && { isBeyondChance }),
    }));
}

/** Merges the marks of several rules at one place. */
function mergePlaces(marks: readonly Mark[]): Place[] {
  const places = Map.groupBy(marks, ({ from, to }) => `${from} ${to}`);
  return [...places.values()].flatMap((all) => {
    const [first] = all;
    const rules = [...new Set(all.flatMap(({ rule }) => rule ?? []))].sort();
    // A rule with a decision overrides rules without one.
    const suspects = all.every((mark) => mark.suspects) ? first?.suspects : undefined;
    const { suspects: _, ...place } = first ?? {};
    return first ? [{ ...(place as Omit<Mark, 'suspects'>), rules, suspects }] : [];
  });
}

function joinNeighbors(places: readonly Place[]): Place[] {
  const found: Place[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const before = found.at(-1);
    if (before && place.from <= before.to && parameterKey(place) === parameterKey(before))
      found[found.length - 1] = { ...before, to: Math.max(before.to, place.to) };
    else found.push(place);
  }
  return found;
}

function parameterKey({ rules, suspects = [], isBeyondChance }: Place): string {
  return [...rules, ...suspects, isBeyondChance].join();
}

function comparePools(a: PoolId, b: PoolId): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a) < String(b)
      ? -1
      : Number(a !== b);
}

function rank({ interval }: { readonly interval: Rung }): number {
  return rungNames.indexOf(interval);
}

/**
 * Returns the damage that a breach of a rule is; undefined for a rule that says nothing of single ranges. Missing rows are
 * reckoned from the rows themselves, to their exact ranges.
 */
export function classifyBreach(rule: Rule): DamageKind | undefined {
  const damage = ruleFacts(rule)?.damage;
  return damage === 'none' ? undefined : damage;
}

/** Returns whether a row was filled with zeros or with another row's values: it explains that it agrees with no other. */
export function isFilled({ kind, explains }: Mark): boolean {
  return kind === 'copy' || explains === 'row';
}

/** Returns whether a mark says already that the prices or the volume of its rows are wrong. */
export function explainsValues(mark: Mark): boolean {
  return isFilled(mark) || mark.kind === 'rollup' || mark.explains === 'values';
}

/** Returns the rules of a catalogue that an audit judges by. */
export function selectRangeLaw({ rules, ...law }: Catalogue): Catalogue {
  return { ...law, rules: rules.filter((rule) => classifyBreach(rule) !== undefined), questions: [] };
}
