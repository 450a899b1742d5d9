import { day, hour, stamp, week } from '@candleproof/document/spec/interval';
import { describePattern, joinNames, thousands } from '@candleproof/law/reading/words';
import { plural } from '@candleproof/reports/words/format';
import type { Alike } from '../audit/alike.ts';
import type { Audit } from '../audit/audit.ts';
import { type Cause, type Concerned, isMissing } from '../audit/causes.ts';
import type { Damage } from '../audit/damage.ts';
import type { Usable } from '../audit/row-states.ts';

/** Causes that a headline names. */
const mostNamed = 2;

/** Returns the verdict about a past in one sentence, by its causes. */
export function writeHeadline({ verdict, causes, candles, failing }: Audit): string {
  const grave = causes.filter(({ certainty }) => certainty === worst[verdict]);
  const named = grave.slice(0, mostNamed).map(describeCause);
  const rest = grave.length - named.length;
  const text = joinCauses(named) + (rest > 0 ? `; ${plural(rest, 'more cause')}` : '');
  if (verdict === 'damaged') return text;
  if (verdict === 'unjudged') return candles === 0 ? 'No row was reported' : text;
  const doubts = causes.filter(({ certainty }) => certainty === 'suspicion').map(describeCause);
  const words = ['Nothing is broken', ...doubts.slice(0, 1), ...(doubts.length > 1 ? ['and more'] : [])];
  return words.join('; ') + (failing.length > 0 ? ', beyond chance' : '');
}

const worst = {
  ...({ damaged: 'breach', suspected: 'suspicion', unjudged: 'unknown', sound: 'suspicion' } as const),
};

function joinCauses([first = '', second]: readonly string[]): string {
  return second === undefined ? first : `${first}, and ${lowerFirst(second)}`;
}

/** Begins a text without a capital, unless a name begins it. */
function lowerFirst(text: string): string {
  return /^[A-Z]([a-z]| )/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** `High and low are exchanged in 1,167 of 1,344 hours`, `12:00 to 13:00 is missing every day`. */
export function describeCause(cause: Cause): string {
  const { sentence, days, concerned, kind } = cause;
  if (days) return `${sentence} ${describeDays(cause)}`;
  const [most] = concerned.toSorted((a, b) => b.intervals - a.intervals);
  if (!most) return sentence;
  const count = countConcerned(most);
  if (kind === 'gap') return `${count} are missing`;
  if (kind === 'outage') return `${count} are missing, of which no other interval knows anything`;
  return `${sentence}${sentence.includes(',') ? ',' : ''} in ${count}`;
}

/** `every day`, `on 26 of 28 days`, `each at 12:00 UTC`: when a cause is met; empty if at no common time. */
export function describeDays({ days, concerned, example }: Cause, starts: readonly number[] = []): string {
  if (days) return days.missing === days.of ? 'every day' : `on ${days.missing} of ${days.of} days`;
  const length = concerned[0]?.length ?? example.to - example.from;
  return describePattern(starts, length) ?? '';
}

/** `1,167 of 1,344 hours` */
export function countConcerned({ interval, length, intervals, of }: Concerned): string {
  return `${thousands(intervals)} of ${nameIntervals(of, interval, length)}`;
}

/** `1,344 hours`; `12 rows of 4HOUR`, where no word names them. */
function nameIntervals(count: number, interval: string, length: number): string {
  const noun = nouns[length];
  return noun === undefined ? `${plural(count, 'row')} of ${interval}` : plural(count, noun);
}

const nouns: Readonly<Record<number, string>> = { [hour]: 'hour', [day]: 'day', [week]: 'week' };

/** `pools 1 and 3; HOUR, DAY` */
export function describePlace({ pools, concerned }: Cause): string {
  const names =
    pools.length > mostPools ? [...pools.slice(0, mostPools), `${pools.length - mostPools} more`] : pools;
  const intervals = concerned.map(({ interval }) => interval).join(', ');
  return `pool${pools.length === 1 ? '' : 's'} ${joinNames(names.map(String))}${intervals && `; ${intervals}`}`;
}

const mostPools = 6;

/** `121 of 672 usable, 523 damaged, 28 missing` */
export function describeUsable({ intervals, usable, damaged, missing, unread, doubted }: Usable): string {
  const others = Object.entries({ damaged, missing, 'not read': unread, doubted })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${thousands(count)} ${word}`);
  return [`${thousands(usable)} of ${thousands(intervals)} usable`, ...others].join(', ');
}

/** Counts the ranges by their certainty: `26 damaged, 2 suspected`; empty for none. */
export function countRanges(damage: readonly Damage[]): string {
  const either = damage.filter(({ suspects }) => suspects !== undefined).length;
  const count = (certainty: Damage['certainty']): number =>
    damage.filter((range) => range.certainty === certainty).length;
  const [breaches, suspicions, unknown] = [count('breach'), count('suspicion'), count('unknown')];
  return [
    ...(breaches > either ? [`${thousands(breaches - either)} damaged`] : []),
    ...(either > 0 ? [`${thousands(either)} of which one or the other is damaged`] : []),
    ...(suspicions > 0 ? [`${thousands(suspicions)} suspected`] : []),
    ...(unknown > 0 ? [`${thousands(unknown)} not read`] : []),
  ].join(', ');
}

/** Describes intervals that disagree: one is wrong, it is undecided which, and each has its line. */
export function describeSuspicion({ suspects = [] }: Damage): string[] {
  return suspects.length === 0
    ? []
    : [`either ${suspects.join(' or ')} is wrong; the answers do not show which`];
}

/**
 * `12:00 to 13:00 missing on 26 days, 2026-11-01 to 2026-11-26`, with the number of days between if not all of them have it, or
 * the range itself; ends are exclusive.
 */
export function describeTimes(alike: Alike): string {
  const [first] = alike;
  const { from, to } = first;
  const last = alike.at(-1)?.from ?? from;
  if (alike.length === 1) return `${shortStamp(from)} to ${shortStamp(to)}`;
  const [begin, end] = [from, to].map((seconds) => stamp(seconds).slice(11, 16));
  const isNextDay = Math.floor(to / day) > Math.floor(from / day);
  const between = Math.floor(last / day) - Math.floor(from / day) + 1;
  const days = between === alike.length ? '' : ` of ${between}`;
  return `${begin} to ${end}${isNextDay ? ' of the next day' : ''}${isMissing(first) ? ' missing' : ''} on ${alike.length}${days} days, ${stamp(from).slice(0, 10)} to ${stamp(last).slice(0, 10)}`;
}

/** `2026-11-01T12:00Z` */
export function shortStamp(seconds: number): string {
  return stamp(seconds).replace(/:00Z$/, 'Z');
}
