import { capitalize, joinNames, thousands } from '@candleproof/law/reading/words';
import type { RunExplanation } from './causes.ts';
import { sum } from './format.ts';

export type RunWitnesses = NonNullable<RunExplanation['witnesses']>;
type Part = RunWitnesses['parts'][number];

/** `inverted 1h`, `1d`, `plain`. */
export function namePart({ interval, inverted }: Part): string {
  const side = inverted === undefined ? [] : [nameSide(inverted)];
  return [...side, ...(interval === undefined ? [] : [interval])].join(' ');
}

/** `inverted` or `plain`. */
export function nameSide(inverted: boolean): string {
  return inverted ? 'inverted' : 'plain';
}

/** `×2`, `×0.5`; close to one as far as it differs: `×1.004`. */
export function formatFactor(factor: number): string {
  const difference = Math.abs(factor - 1);
  const isClose = difference > 0 && difference < 0.01;
  const text = isClose ? factor.toFixed(-Math.floor(Math.log10(difference))) : factor.toPrecision(3);
  return `×${Number(text)}`;
}

/** `×2`, `×0.5`; `differ` if there is no one factor, and `agree` if all do. */
export function wordLink({ agreeing, of, factor }: RunWitnesses['links'][number]): string {
  if (agreeing === of) return 'agree';
  return factor === undefined ? 'differ' : formatFactor(factor);
}

/**
 * Says what speaks for an explanation: `In all 21 rows that could be compared, of pool A. 5m, 1h and 1w agree with one another in
 * 172 of 172 comparisons; 1d with others in none of 23.` Undefined without witnesses.
 */
export function describeWitnesses({ witnesses, rows }: RunExplanation): string | undefined {
  if (!witnesses || !rows) return undefined;
  const { wrong, of } = rows;
  const pools = [...new Set(witnesses.rows.map(({ pool }) => pool))];
  const named = wrong === witnesses.rows.length && pools.length > 0 ? `, of ${joinNames(pools)}` : '';
  const counted = wrong === of ? `all ${thousands(of)}` : `${thousands(wrong)} of ${thousands(of)}`;
  return [`In ${counted} rows that could be compared${named}.`, ...describeAgreement(witnesses)].join(' ');
}

function describeAgreement({ parts, links }: RunWitnesses): string[] {
  const isWrong = (at: number): boolean => parts[at]?.isWrong ?? false;
  const ofWrong = links.filter((link) => link.parts.some(isWrong));
  const sound = links.filter((link) => !link.parts.some(isWrong) && link.agreeing === link.of);
  const agreeing = new Set(sound.flatMap((link) => link.parts));
  if (agreeing.size < 2) return [];
  const names = parts.filter((_, at) => agreeing.has(at)).map(namePart);
  const wrong = parts.filter((part) => part.isWrong).map(namePart);
  const [alike, found, compared] = [
    sum(sound.map(({ of }) => of)),
    sum(ofWrong.map((link) => link.agreeing)),
    sum(ofWrong.map(({ of }) => of)),
  ];
  const some = found === 0 ? 'none' : thousands(found);
  return [
    `${capitalize(joinNames(names))} agree with one another in ${thousands(alike)} of ${thousands(alike)} comparisons; ${joinNames(wrong)} with others in ${some} of ${thousands(compared)}.`,
  ];
}
