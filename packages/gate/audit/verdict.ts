import type { GateVerdict, Tolerable } from '../gated.ts';
import type { Damage } from './damage.ts';

/** The verdict about a past, as about tables. */
export type AuditVerdict = Exclude<GateVerdict, 'different'>;

/** Returns the verdict about a past: damage outranks what is beyond chance, and this what was not read. */
export function reachVerdict(
  damage: readonly Damage[],
  failing: readonly string[],
  candles: number,
): AuditVerdict {
  const isFound = (certainty: Damage['certainty']): boolean =>
    damage.some((one) => one.certainty === certainty);
  if (isFound('breach')) return 'damaged';
  if (failing.length > 0) return 'suspected';
  return isFound('unknown') || candles === 0 ? 'unjudged' : 'sound';
}

/** Lists the kinds of suspicions beyond chance that the caller does not tolerate. */
export function listFailing(
  damage: readonly Damage[],
  tolerated: readonly Tolerable[] | undefined,
): string[] {
  const kinds = damage.flatMap(({ isBeyondChance, kind }) =>
    isBeyondChance ? [kind === 'repeated' ? 'copy' : kind] : [],
  );
  const isTolerated = (kind: string): boolean =>
    tolerated === undefined || tolerated.some((one) => one === kind);
  return [...new Set(kinds)].filter((kind) => !isTolerated(kind)).sort();
}
