import type { Audit } from '../../conformance/audit/audit.ts';
import type { Damage } from '../../conformance/audit/damage.ts';
import { stamp } from '../../contract/document/interval.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { makeVisible } from './escape.ts';
import { plural } from './tally.ts';
import { alignColumns, createPaint, foldLine, type Paint, type Tone } from './terminal-text.ts';

/** Ranges that a terminal lists; all of them are in the file. */
const mostListed = 40;

const tones: Readonly<Record<Damage['certainty'], Tone>> = {
  breach: 'bad',
  suspicion: 'doubtful',
  unknown: 'quiet',
};

/**
 * Renders an audit as lines of text, none longer than `width` columns; no text of a target can control the terminal.
 */
export function renderAudit(audit: Audit, { color, width }: { color: boolean; width: number }): string {
  const paint = createPaint(color);
  const { damage } = audit;
  const line = (text: string): string => foldLine(makeVisible(text), width).join('\n');
  const rest = damage.length - mostListed;
  return [
    ...head(audit, line, paint),
    ...(damage.length > 0 ? ['', ...table(damage.slice(0, mostListed), line, paint)] : []),
    ...(rest > 0 ? [paint('quiet', line(`and ${thousands(rest)} more in the file`))] : []),
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

function describeVerdict({ damage, candles }: Audit): [Tone, string] {
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
function describeSuspicion({ suspects = [] }: Damage): string {
  return suspects.length === 0 ? '' : `${suspects.join(' or ')} is wrong, nothing decides which`;
}

/** Aligns columns to their widest cell; the last column gets the rest of the line. */
function table(damage: readonly Damage[], line: (text: string) => string, paint: Paint): string[] {
  const titles = ['pool', 'interval', 'from', 'to', 'kind', 'why'];
  const rows = damage.map((range) => [
    String(range.pool),
    range.interval,
    stamp(range.from),
    stamp(range.to),
    range.kind,
    [describeSuspicion(range), range.rules.join(' '), range.detail].filter(Boolean).join(': '),
  ]);
  const [title = '', ...lines] = alignColumns([titles, ...rows]).map(line);
  return [
    paint('strong', title),
    ...lines.map((text, at) => paint(tones[damage[at]?.certainty ?? 'breach'], text)),
  ];
}
