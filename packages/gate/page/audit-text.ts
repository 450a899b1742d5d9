import { day, stamp } from '@candleproof/document/spec/interval';
import { sharedTime } from '@candleproof/law/reading/day-pattern';
import { thousands } from '@candleproof/law/reading/thousands';
import { plural } from '@candleproof/reports/words/counts';
import { createPaint, lineWriter, type Paint, type Tone } from '@candleproof/reports/words/terminal-text';
import type { Audit } from '../audit/audit.ts';
import type { Damage } from '../audit/damage.ts';

/** Entries that a terminal lists; all ranges are in the file. */
const mostListed = 40;

const tones: Readonly<Record<Damage['certainty'], Tone>> = {
  breach: 'bad',
  suspicion: 'doubtful',
  unknown: 'quiet',
};

/** Renders an audit as lines of at most 80 columns; no text of a target can control the terminal. */
export function renderAudit(audit: Audit, { color, width }: { color: boolean; width: number }): string {
  const paint = createPaint(color);
  const groups = groupAlike(audit.damage);
  const line = lineWriter(width);
  const rest = groups.slice(mostListed).flat().length;
  return [
    ...head(audit, line, paint),
    ...groups.slice(0, mostListed).flatMap((alike) => {
      const [place = '', ...others] = describeAlike(alike);
      return [paint(tones[alike[0].certainty], line(place)), ...others.map(line)];
    }),
    ...(rest > 0 ? [paint('quiet', line(`and ${plural(rest, 'more range')} in the file`))] : []),
    '',
  ].join('\n');
}

function head(audit: Audit, line: (text: string) => string, paint: Paint): string[] {
  const { target, range, pools, requests, candles, divided, trouble } = audit;
  const [tone, verdict] = describeVerdict(audit);
  return [
    paint(tone, line(`${verdict}: ${target.name}  ${target.baseUrl}`)),
    line(`pools ${pools.join(', ')} from ${stamp(range.from)} to ${stamp(range.to)}`),
    line(
      `${thousands(candles)} closed rows in ${plural(requests.sent, 'request')} of at most ${requests.budget}`,
    ),
    ...(divided.length > 0 ? [line(`not given in one answer: ${divided.join(', ')}`)] : []),
    ...(trouble === undefined ? [] : [paint('doubtful', line(trouble))]),
  ];
}

/** Returns the verdict with its counts, and the tone that it has. */
export function describeVerdict({
  damage,
  candles,
}: Audit): [tone: 'bad' | 'doubtful' | 'good', verdict: string] {
  const either = damage.filter(({ suspects }) => suspects !== undefined).length;
  const count = (certainty: Damage['certainty']): number =>
    damage.filter((range) => range.certainty === certainty).length;
  const [breaches, suspicions, unknown] = [count('breach'), count('suspicion'), count('unknown')];
  const found = [
    ...(breaches > either ? [`${breaches - either} damaged`] : []),
    ...(either > 0 ? [`${either} of which one or the other is damaged`] : []),
    ...(suspicions > 0 ? [`${suspicions} suspected`] : []),
    ...(unknown > 0 ? [`${unknown} not read`] : []),
  ].join(', ');
  if (breaches > 0) return ['bad', `✗ Ranges: ${found}`];
  if (unknown > 0) return ['doubtful', `? Ranges: ${found}`];
  if (candles === 0) return ['doubtful', '? No row was reported'];
  return ['good', ['✓ Nothing is broken', ...(found ? [found] : [])].join('; ')];
}

/** Describes intervals that disagree: one is wrong, it is undecided which, and each has its line. */
export function describeSuspicion({ suspects = [] }: Damage): string[] {
  return suspects.length === 0
    ? []
    : [`either ${suspects.join(' or ')} is wrong; the answers do not show which`];
}

/** Ranges that are alike: on several days at one time, or a single one. */
export type Alike = readonly [Damage, ...Damage[]];

/** Groups ranges that are damaged alike at one time of the day; others stay alone. */
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

/** Describes ranges in a line of place and time, one of what was found, and one of the rules. */
function describeAlike(alike: Alike): string[] {
  const [first] = alike;
  const { pool, interval, kind, rules, detail } = first;
  const found = [...describeSuspicion(first), detail].filter(Boolean).join(': ');
  return [
    `pool ${pool} ${interval}  ${kind}  ${describeTimes(alike)}`,
    ...(found === '' ? [] : [`  ${found}`]),
    ...(rules.length === 0 ? [] : [`  ${rules.join(' ')}`]),
  ];
}

/**
 * `12:00 to 13:00 missing on 26 days, 2026-11-01 to 2026-11-26`, with the number of days between if not all of them have it, or
 * the range itself; ends are exclusive.
 */
export function describeTimes(alike: Alike): string {
  const [{ kind, from, to }] = alike;
  const last = alike.at(-1)?.from ?? from;
  if (alike.length === 1) return `${shortStamp(from)} to ${shortStamp(to)}`;
  const what = kind === 'gap' || kind === 'outage' ? ' missing' : '';
  const [begin, end] = [from, to].map((seconds) => stamp(seconds).slice(11, 16));
  const isNextDay = Math.floor(to / day) > Math.floor(from / day);
  const between = Math.floor(last / day) - Math.floor(from / day) + 1;
  const days = between === alike.length ? '' : ` of ${between}`;
  return `${begin} to ${end}${isNextDay ? ' of the next day' : ''}${what} on ${alike.length}${days} days, ${stamp(from).slice(0, 10)} to ${stamp(last).slice(0, 10)}`;
}

function shortStamp(seconds: number): string {
  return stamp(seconds).replace(/:00Z$/, 'Z');
}
