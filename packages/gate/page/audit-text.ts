import { thousands } from '@candleproof/law/reading/words';
import { plural } from '@candleproof/reports/words/format';
import { createPaint, lineWriter, type Paint, type Tone } from '@candleproof/reports/words/terminal-text';
import { type Alike, groupAlike } from '../audit/alike.ts';
import type { Audit } from '../audit/audit.ts';
import type { Damage } from '../audit/damage.ts';
import {
  countRanges,
  describeSuspicion,
  describeTimes,
  describeUsable,
  shortStamp,
  writeHeadline,
} from './audit-words.ts';

/**
 * Entries that a terminal lists, and of a cause that has more than a few; pools whose usable rows it counts. All are in the
 * files.
 */
const [maxListed, mostOfCause, few, mostPools] = [40, 3, 6, 12];

const tones: Readonly<Record<Damage['certainty'], Tone>> = {
  breach: 'bad',
  suspicion: 'doubtful',
  unknown: 'quiet',
};

const verdictTones = {
  ...({ sound: ['good', '✓'], suspected: ['bad', '✗'] } as const),
  ...({ damaged: ['bad', '✗'], unjudged: ['doubtful', '?'] } as const),
};

/** Renders an audit as lines of at most 80 columns; no text of a target can control the terminal. */
export function renderAudit(audit: Audit, { color, width }: { color: boolean; width: number }): string {
  const paint = createPaint(color);
  const line = lineWriter(width);
  const groups = selectShown(audit.damage);
  const rest = audit.damage.length - groups.flat().length;
  return [
    ...head(audit, line, paint),
    ...groups.flatMap((alike) => {
      const [place = '', ...others] = describeAlike(alike);
      return [paint(tones[alike[0].certainty], line(place)), ...others.map(line)];
    }),
    ...(rest > 0 ? [paint('quiet', line(`and ${plural(rest, 'more range')} in the file`))] : []),
    '',
  ].join('\n');
}

/** Selects the ranges to list: all of a few, else the first of each cause. */
function selectShown(damage: readonly Damage[]): Alike[] {
  const groups = Map.groupBy(groupAlike(damage), ([{ certainty, cause }]) => `${certainty} ${cause}`);
  return [...groups.values()]
    .flatMap((group) => (group.length > few ? group.slice(0, mostOfCause) : group))
    .slice(0, maxListed);
}

function head(audit: Audit, line: (text: string) => string, paint: Paint): string[] {
  const { target, range, pools, requests, candles, divided, trouble, damage, verdict, failing } = audit;
  const [tone, mark] = verdictTones[verdict];
  const found = countRanges(damage);
  const isTolerable = verdict === 'suspected';
  return [
    paint(tone, line(`${mark} ${target.name}: ${writeHeadline(audit)}`)),
    ...(isTolerable ? [line(`exit 1, or 0 with --tolerate ${failing.join(',')}`)] : []),
    line(`${target.baseUrl}${found && `  ranges: ${found}`}`),
    line(
      `pool${pools.length === 1 ? '' : 's'} ${pools.join(', ')} from ${shortStamp(range.from)} to ${shortStamp(range.to)}`,
    ),
    line(
      `${thousands(candles)} closed rows in ${plural(requests.sent, 'request')} of at most ${requests.budget}`,
    ),
    ...(divided.length > 0 ? [line(`not given in one answer: ${divided.join(', ')}`)] : []),
    ...(trouble === undefined ? [] : [paint('doubtful', line(trouble))]),
    ...listUsable(audit).map((text) => line(text)),
  ];
}

/** Lists what can still be used of pools that have rows which can't. */
function listUsable({ usable }: Audit): string[] {
  const spoilt = usable.filter((one) => one.usable < one.intervals);
  const pools = [...new Set(spoilt.map(({ pool }) => pool))];
  const shown = pools
    .slice(0, mostPools)
    .flatMap((pool) =>
      spoilt
        .filter((one) => one.pool === pool)
        .map((one) => `pool ${pool} ${one.interval}: ${describeUsable(one)}`),
    );
  const rest = pools.length - mostPools;
  return [...shown, ...(rest > 0 ? [`and ${plural(rest, 'more pool')} on the page`] : [])];
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
