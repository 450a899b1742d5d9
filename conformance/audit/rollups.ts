import type { Family } from '../../contract/families.ts';
import { intervalSeconds } from '../../contract/interval.ts';
import type { Judged } from '../../contract/judge.ts';
import { detailOf } from './breaches.ts';
import type { Mark } from './damage.ts';
import { isFilled, kindOf, standsForAll } from './law.ts';
import { isHistory } from './standing.ts';

/** A parent that disagrees with its parts. */
type Break = Omit<Mark, 'rule' | 'kind'> & { readonly rule: string };

/** The same recording judged with its days and, so that weeks are measured by hours, without them. */
export type TwoViews = { readonly whole: Judged; readonly withoutDays: () => Judged };

/**
 * Which of two lengths is wrong, a third one tells: days that disagree with their hours are to blame where the week
 * agrees with the hours, and the hours are where it agrees with the days. Where nothing tells, the parent's range stands.
 * A row that was filled with something is told once: it explains that it agrees with no other.
 */
export function rollupBreaksIn({ whole, withoutDays }: TwoViews, found: readonly Mark[]): Mark[] {
  const breaks = breaksIn(whole);
  if (breaks.length === 0) return [];
  const known = new Set(breaks.map(keyOf));
  const weeks = weeksOf(whole, withoutDays(), known);
  const odd = found.filter(isFilled);
  return breaks.flatMap((each) => {
    const { poolId, interval } = each;
    const mark = { ...each, kind: 'rollup' as const };
    const rows = odd.filter((row) => row.poolId === poolId && row.from < each.to && row.to > each.from);
    if (interval === 'WEEK') {
      const isExplained = weeks.isOfItsDays(each) || rows.some((row) => row.interval !== 'HOUR');
      return isExplained ? [] : [mark];
    }
    const blamed = weeks.blamed(each);
    const isExplained = rows.some(
      (row) => row.interval === (blamed ?? row.interval) && row.interval !== 'WEEK',
    );
    return isExplained ? [] : [{ ...mark, interval: blamed ?? interval }];
  });
}

function breaksIn({ sightings, evidence }: Judged): Break[] {
  return sightings.flatMap(({ rule, breaches }) => {
    if (kindOf(rule.id) !== 'rollup') return [];
    return breaches.flatMap((breach) => {
      const { answer } = breach;
      if (!isHistory(answer)) return [];
      const { poolId, interval, length } = answer.asked;
      const parents = standsForAll(rule.id)
        ? evidence.families().flatMap((each) => (each.answer === answer ? [each.parent] : []))
        : (breach.candles?.slice(0, 1) ?? []);
      const place = { poolId, interval, rule: rule.id, detail: detailOf(breach) };
      return parents.map(({ start }) => ({ ...place, from: start, to: start + length }));
    });
  });
}

function keyOf({
  poolId,
  interval,
  from,
  rule,
}: Pick<Break, 'poolId' | 'interval' | 'from' | 'rule'>): string {
  return `${poolId} ${interval} ${from} ${rule}`;
}

/** What the weeks say of their days and of their hours, each by itself. */
function weeksOf(whole: Judged, withoutDays: Judged, known: ReadonlySet<string>) {
  const byDays = weekStarts(whole.evidence.families());
  const byHours = weekStarts(withoutDays.evidence.families());
  const offHours = new Set(
    breaksIn(withoutDays).flatMap((each) => (each.interval === 'WEEK' ? [keyOf(each)] : [])),
  );
  return {
    /** One of its days disagrees with the hours too, and the week does not. */
    isOfItsDays: (week: Break): boolean => !offHours.has(keyOf(week)) && hasBrokenDay(week, known),
    blamed: ({ poolId, from, rule }: Break): 'DAY' | 'HOUR' | undefined => {
      const starts = Array.from({ length: 7 }, (_, days) => from - days * intervalSeconds.DAY);
      const start = starts.find(
        (each) => byDays.has(`${poolId} ${each}`) && byHours.has(`${poolId} ${each}`),
      );
      if (start === undefined) return undefined;
      const week = keyOf({ poolId, interval: 'WEEK', from: start, rule });
      if (known.has(week) === offHours.has(week)) return undefined;
      return known.has(week) ? 'DAY' : 'HOUR';
    },
  };
}

function hasBrokenDay({ poolId, rule, from, to }: Break, known: ReadonlySet<string>): boolean {
  const day = intervalSeconds.DAY;
  for (let start = from; start < to; start += day)
    if (known.has(keyOf({ poolId, interval: 'DAY', from: start, rule }))) return true;
  return false;
}

function weekStarts(families: readonly Family[]): Set<string> {
  return new Set(
    families.flatMap(({ parent, answer: { asked } }) =>
      asked.interval === 'WEEK' ? [`${asked.poolId} ${parent.start}`] : [],
    ),
  );
}
