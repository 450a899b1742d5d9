import { plural } from '../words/format.ts';
import {
  countByEffect,
  countFound,
  type HealthyRuns,
  isFoundAsClaimed,
  type Kill,
  type KillMatrix,
  killCurve,
  unprovenRules,
} from './facts.ts';

/**
 * `112 turn a pipeline red, 19 only with --strict, 14 noted beside a baseline`: the effect of these faults in a pipeline.
 * Noted are those that only change an answer which a baseline holds; the check stays green and reports the change.
 */
export function describeEffects(kills: readonly Kill[]): string {
  const { red, strict, noted, unseen } = countByEffect(kills);
  const counts: [number, string][] = [
    [red, `turn${red === 1 ? 's' : ''} a pipeline red`],
    [strict, 'only with --strict'],
    [noted, 'noted beside a baseline'],
    [unseen, 'not found'],
  ];
  return counts.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : [])).join(', ');
}

/**
 * `145 in one check with its seed, 5 in two checks, 2 with a second key`: the cheapest way that shows each fault, its `scene`,
 * in which it was shown once. Another seed draws other requests, so that not every check of that kind shows it.
 */
export function describeScenes(kills: readonly Kill[]): string {
  const counts = [...Map.groupBy(kills, ({ scene }) => scene)].toSorted((a, b) => b[1].length - a[1].length);
  return counts.map(([scene, { length }]) => `${length} ${shownBy[scene]}`).join(', ');
}

/** The words for each scene. */
const shownBy: Readonly<Record<Kill['scene'], string>> = {
  'one check': 'in one check with its seed',
  'two checks': 'in two checks',
  'tiny key': 'with a key whose month is used up',
  'moved clock': 'in a check while the month rolls over',
  'second key': 'with a second key',
  'many samples': 'with many samples',
};

/** `0 of 15 healthy runs accused: at most 18 % at 95 % confidence`, and by which rules. */
export function describeHealthyRuns({ runs, accusedRuns, accused, atMost }: HealthyRuns): string {
  const named = accused.length === 0 ? '' : ` (${[...new Set(accused)].join(', ')})`;
  const bound = Math.round(100 * atMost);
  return `${accusedRuns} of ${plural(runs, 'healthy run')} accused${named}: at most ${bound} % at 95 % confidence`;
}

/** `3 need a chosen seed: F23b (9), F103b (4)`; undefined if none does. */
export function describeSeeds(kills: readonly Kill[]): string | undefined {
  const drawn = kills.flatMap(({ number, seed }) => (seed === undefined ? [] : [`${number} (${seed})`]));
  if (drawn.length === 0) return undefined;
  return `${drawn.length} ${drawn.length === 1 ? 'needs' : 'need'} a chosen seed: ${drawn.join(', ')}`;
}

/** `105 of 108 rules of must and should were triggered`; undefined unless all faults were played. */
export function describeProvenRules({ rules }: KillMatrix): string | undefined {
  if (!rules) return undefined;
  return `${rules.length - unprovenRules(rules).length} of ${rules.length} rules of must and should were triggered`;
}

/** Formats the conditions under which a fault shows: `one check`, `one check, seed 9`, `moved clock`. */
export function describeCondition({ scene, seed }: Pick<Kill, 'scene' | 'seed'>): string {
  return seed === undefined ? scene : `${scene}, seed ${seed}`;
}

/** Formats the result of a kill matrix for a terminal. */
export function renderMatrixTerminal(matrix: KillMatrix): string {
  const { kills, healthy, rules = [] } = matrix;
  const { found, all } = countFound(kills);
  const [seeds, triggered] = [describeSeeds(kills), describeProvenRules(matrix)];
  // A rule has one level, that of the catalogue, so that a fault which was found otherwise was found by other rules alone.
  const missed = kills.filter((kill) => !isFoundAsClaimed(kill));
  return [
    `${found} of ${all} faults found: ${describeEffects(kills)}`,
    ...missed.map(
      ({ number, id, breaks, foundBy }) =>
        `  ${foundBy.length === 0 ? 'not found' : 'found by others alone'}: ${number} ${id} (${breaks.map((witness) => witness.id).join(', ')})`,
    ),
    ...killCurve(kills).map(
      ({ budget, share }) =>
        `  with ${budget} requests: ${share.found} of ${share.all} that one check can show`,
    ),
    ...(seeds === undefined ? [] : [seeds]),
    ...(triggered === undefined ? [] : [triggered]),
    ...unprovenRules(rules).map(
      ({ id, reason }) => `  no fault triggers ${id}${reason === undefined ? ', without a reason' : ''}`,
    ),
    describeHealthyRuns(healthy),
  ].join('\n');
}
