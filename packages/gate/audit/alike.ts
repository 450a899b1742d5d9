import { day } from '@candleproof/document/spec/interval';
import { sharedTime } from '@candleproof/law/reading/words';
import type { Damage } from './damage.ts';

/** Ranges that are alike: on several days at one time, or a single one. */
export type Alike = readonly [Damage, ...Damage[]];

/** Groups ranges of one pool that are damaged alike at one time of the day; others stay alone. */
export function groupAlike(damage: readonly Damage[]): Alike[] {
  const groups = Map.groupBy(damage, ({ pool, interval, from, to, kind, rules, suspects }) =>
    JSON.stringify([pool, interval, from % day, to - from, kind, rules, suspects]),
  );
  return [...groups.values()].flatMap((group): Alike[] => {
    const [first, ...others] = group;
    const isHabit = first && first.to - first.from < day && sharedTime(group.map(({ from }) => from));
    if (first && isHabit !== undefined && isHabit !== false) return [[first, ...others]];
    return group.map((range): Alike => [range]);
  });
}
