import { stamp } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import { plural } from '@candleproof/reports/words/format';
import { createPaint, lineWriter, type Tone } from '@candleproof/reports/words/terminal-text';
import {
  type Gated,
  type GatedFile,
  type GatedPair,
  type GateRange,
  type RangeCertainty,
  severities,
} from '../gated.ts';

/** Returns the verdict in words: `Damaged: 3 ranges; 1 note`, `Sound`, `No rule broken; 3 suspicions`. */
export function describeVerdict(gated: Gated): string {
  const { verdict, counts, undecided, remarks, pairs } = gated;
  const others = [
    ...(counts.suspicion > 0 ? [plural(counts.suspicion, 'suspicion')] : []),
    ...(counts.observed > 0 ? [plural(counts.observed, 'note')] : []),
  ].join(', ');
  if (verdict === 'unjudged') {
    const more = undecided.length - 1;
    return `Not judged: ${undecided[0]}${more > 0 ? `; and ${plural(more, 'more reason')}` : ''}`;
  }
  if (verdict === 'damaged') return `Damaged: ${plural(counts.breach, 'range')}${others && `; ${others}`}`;
  if (verdict === 'different') return describeDifference(gated) + (others && `; ${others}`);
  const isWhole = remarks.length === 0 && pairs.every(({ notJudged }) => notJudged === undefined);
  const title = counts.suspicion > 0 ? 'No rule broken' : 'Sound';
  return `${title}${isWhole ? '' : ' as far as it was judged'}${others && `; ${others}`}`;
}

function describeDifference({ same }: Gated): string {
  if (same === undefined) return 'Different';
  const names = same.files.map((file) => file.replace(/^.*[\\/]/, '')).join(' and ');
  const count = `${names} differ in ${plural(same.differing, 'row')}`;
  return `${count}, ${thousands(same.compared)} are in both${same.pattern === undefined ? '' : `: ${same.pattern}`}`;
}

/** Returns the causes, reasons and remarks that the verdict's sentence does not include. */
export function listRemarks({ verdict, undecided, remarks, causes }: Gated): string[] {
  return [...causes, ...(verdict === 'unjudged' ? undecided.slice(1) : undecided), ...remarks];
}

/** Describes a file in one line: rows, interval, covered time and gaps. */
export function describeFile({ file, rows, blank, interval, from, to, gaps }: GatedFile): string {
  if (from === undefined || to === undefined) return `${file}: ${plural(rows, 'row')}, none with a price`;
  const missing =
    gaps.intervals === 0
      ? []
      : [`${plural(gaps.intervals, 'interval')} without a row in ${plural(gaps.ranges, 'gap')}`];
  return [
    `${file}: ${plural(rows, 'row')}${interval === undefined ? '' : ` of ${interval}`}`,
    `${stamp(from)} to ${stamp(to)}`,
    ...(blank > 0 ? [`${thousands(blank)} without any price`] : []),
    ...missing,
  ].join(', ');
}

/** Describes what a file's values were taken for: `time=t (ms, UTC) open=o …`; undefined for a file without rows. */
function describeTaken({ form }: GatedFile): string | undefined {
  if (form === undefined) return undefined;
  const { columns, unit } = form;
  const { time = '', date, ...others } = columns;
  const when = date === undefined || date === time ? [`time=${time}`] : [`date=${date}`, `time=${time}`];
  const words = [
    ...when,
    `(${timeWords[unit] ?? unit}, UTC)`,
    ...Object.entries(others).map((pair) => pair.join('=')),
  ];
  const order = form.isByCustom
    ? '; the rows allow another order, and this is the usual one'
    : form.isByOrder
      ? '; order recognized by arithmetic'
      : '';
  return `  ${words.join(' ')}${order}`;
}

const timeWords: Readonly<Record<string, string>> = {
  ...{ iso: 'text', dmy: 'text, day first', mdy: 'text, month first' },
};

/** Describes how a longer file compares with a shorter one. */
export function describePair(pair: GatedPair): string {
  const { longer, shorter, families, shifted, notJudged, rules, isOfSessions } = pair;
  const names = `${longer} against ${shorter}`;
  if (shifted !== undefined) return `${names}: ${shifted}`;
  if (notJudged !== undefined) return `${names}: not judged: ${notJudged}`;
  const most = Math.max(0, ...rules.map(({ broken }) => broken));
  const parts = isOfSessions ? 'all parts of a session' : 'all parts';
  return `${names}: ${plural(families, 'candle')} with ${parts}, ${most === 0 ? 'all agree' : `${thousands(most)} or more disagree`}`;
}

/** Differences that a terminal lists. */
const mostDifferences = 10;

/** Differences that a terminal lists if one pattern explains them. */
const mostAlike = 2;

/** Describes how two sources of one market were aligned, and where they differ. */
function describeSame({ same }: Gated): string[] {
  if (same === undefined) return [];
  const { files, isAligned, shift, unit, compared, differences, leftOut, pattern } = same;
  const names = files.map((file) => file.replace(/^.*[\\/]/, ''));
  if (!isAligned) return [`${names.join(' and ')}: too few rows are in both to compare them`];
  const aligned = [
    ...(shift === 0 ? [] : [`labels ${Math.abs(shift)} s ${shift > 0 ? 'later' : 'earlier'} in the second`]),
    ...(unit === 1 ? [] : [`prices of the second times ${unit}`]),
  ];
  const count = differences.length + leftOut;
  const found = count === 0 ? 'no difference' : `${plural(count, 'range')} of rows that differ`;
  const shown = pattern === undefined ? mostDifferences : mostAlike;
  return [
    `${names.join(' and ')}: ${plural(compared, 'row')} in both, ${[...aligned, found].join(', ')}`,
    ...(pattern === undefined ? [] : [`  ${pattern}`]),
    ...differences.slice(0, shown).map(({ fromIso, toIso, rows, detail, doubted }) => {
      const side = doubted.map((file) => file.replace(/^.*[\\/]/, '')).join(' and ');
      return `  ${fromIso} to ${toIso}: ${plural(rows, 'row')}, ${detail}; ${side === '' ? 'the law doubts neither' : `the law doubts ${side}`}`;
    }),
    ...(count > shown ? [`  and ${thousands(count - shown)} more ranges`] : []),
  ];
}

/** Ranges that a terminal lists for each certainty; the files hold all stored ones. */
const maxListed: Readonly<Record<RangeCertainty, number>> = { breach: 20, suspicion: 8, observed: 3 };

/** Damaged ranges that a terminal lists if a cause explains them. */
const mostExplained = 3;

/** Suspicions of one kind that have lines of their own; more are one line. */
const mostAlone = 2;
const tones: Readonly<Record<RangeCertainty, Tone>> = {
  breach: 'bad',
  suspicion: 'doubtful',
  observed: 'quiet',
};
const verdictTones = {
  ...({ sound: 'good', suspected: 'bad', different: 'bad', damaged: 'bad', unjudged: 'doubtful' } as const),
};

/**
 * Renders the result as lines of at most 80 columns; no text of a file can control the terminal. `strictFlag` is the flag
 * that makes suspicions fail, if the command has one.
 */
export function renderGateTerminal(
  result: Gated,
  { color, width }: { color: boolean; width: number },
  strictFlag = '',
): string {
  const gated = withBaseNames(result);
  const paint = createPaint(color);
  const line = lineWriter(width);
  const failed = { suspected: '✗', different: '✗', damaged: '✗' };
  const marks = { ...failed, sound: gated.counts.suspicion > 0 ? '!' : '✓', unjudged: '?' };
  return [
    paint(
      verdictTones[gated.verdict],
      line(`${marks[gated.verdict]} ${describeVerdict(gated)}${describeExit(gated, strictFlag)}`),
    ),
    ...gated.files.flatMap((file: GatedFile) =>
      [describeFile(file), describeTaken(file) ?? []].flat().map((text) => line(text)),
    ),
    ...gated.pairs.map((pair: GatedPair) => line(describePair(pair))),
    ...describeSame(gated).map((text) => line(text)),
    ...listRemarks(gated).map((remark) => paint('doubtful', line(remark))),
    ...(['breach', 'suspicion', 'observed'] as const).flatMap((certainty) =>
      listRanges(gated, certainty).map((text) => paint(tones[certainty], line(text))),
    ),
    '',
  ].join('\n');
}

/** Returns the result with file names instead of paths, if no two files share a name. */
export function withBaseNames(gated: Gated): Gated {
  const paths = gated.files.flatMap(({ file, parts = [] }) => [file, ...parts.map((part) => part.file)]);
  const names = new Map(paths.map((path) => [path, path.replace(/^.*[\\/]/, '')]));
  if (new Set(names.values()).size < names.size) return gated;
  const text = (text: string): string => {
    const path = [...names.keys()].find(
      (file) => text.startsWith(`${file}:`) || text.startsWith(`${file} against `),
    );
    return path === undefined ? text : text.replace(path, names.get(path) ?? path);
  };
  const name = (file: string): string => names.get(file) ?? file;
  const { worst } = gated;
  return {
    ...gated,
    files: gated.files.map((file) => ({ ...file, file: name(file.file) })),
    pairs: gated.pairs.map((pair) => ({ ...pair, longer: name(pair.longer), shorter: name(pair.shorter) })),
    ranges: gated.ranges.map((range) => ({ ...range, file: name(range.file) })),
    ...(worst && { worst: { ...worst, range: { ...worst.range, file: name(worst.range.file) } } }),
    undecided: gated.undecided.map(text),
    remarks: gated.remarks.map(text),
    causes: gated.causes.map(text),
  };
}

/** Says what is suspected, and that this fails only under a flag. */
function describeExit({ verdict, ranges, counts, failing }: Gated, strictFlag: string): string {
  if (verdict === 'suspected' && strictFlag !== '')
    return `, beyond chance (${failing.join(', ')}); exit 1, or 0 with --tolerate ${failing.join(',')}`;
  if (verdict === 'different' && strictFlag !== '') return '; exit 1, or 0 with --tolerate difference';
  if (verdict !== 'sound' || counts.suspicion === 0 || strictFlag === '') return '';
  const [gravest] = groupSuspicions(ranges);
  const what = gravest ? ` (${gravest.severity} ${gravest.kind})` : '';
  return `${what}; exit 0, or 1 with ${strictFlag}`;
}

/** A range, or several suspicions of one kind in one file: the gravest, with the number and end of them all. */
type ListedRange = GateRange & { readonly count?: number; readonly lastIso?: string };

/** Groups suspicions by file and kind, the gravest first. A few of a kind remain as they are. */
function groupSuspicions(ranges: readonly GateRange[]): ListedRange[] {
  const all = ranges.filter(({ certainty }) => certainty === 'suspicion');
  const groups = [...Map.groupBy(all, ({ file, kind, doubt }) => `${file} ${doubt ?? kind}`).values()];
  const rank = ({ severity = 'slight' }: GateRange): number => severities.indexOf(severity);
  return groups
    .flatMap((group): ListedRange[] => {
      if (group.length <= mostAlone) return group;
      const [gravest] = group.toSorted((a, b) => rank(a) - rank(b) || (b.unusual ?? 0) - (a.unusual ?? 0));
      return gravest ? [{ ...gravest, count: group.length, lastIso: group.at(-1)?.toIso ?? '' }] : [];
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

function listRanges({ ranges, counts, causes }: Gated, certainty: RangeCertainty): string[] {
  const all: readonly ListedRange[] =
    certainty === 'suspicion'
      ? groupSuspicions(ranges)
      : ranges
          .filter((range) => range.certainty === certainty)
          .toSorted(certainty === 'observed' ? bySize : () => 0);
  const isExplained = certainty === 'breach' && causes.length > 0;
  const shown = all.slice(0, isExplained ? mostExplained : maxListed[certainty]);
  const rest = counts[certainty] - shown.reduce((sum, { count = 1 }) => sum + count, 0);
  return [
    ...shown.flatMap(describeRange),
    ...(rest > 0 ? [`and ${thousands(rest)} more ${moreOf[certainty]}`] : []),
  ];
}

/** Puts the gap of most intervals first. */
function bySize(one: GateRange, other: GateRange): number {
  return other.rows - one.rows;
}

const moreOf: Readonly<Record<RangeCertainty, string>> = {
  breach: 'damaged',
  suspicion: 'suspicions',
  observed: 'notes',
};

/** Describes a range in a line of place, kind and time, one of what was found, one of the rules, one of those alike. */
function describeRange(range: ListedRange): string[] {
  const { file, line, fromIso, toIso, kind, rules, detail, severity, count = 1, lastIso } = range;
  const [from, to] = [fromIso, toIso].map((instant) => instant.replace(/:00Z$/, 'Z'));
  return [
    `  ${file}:${line}  ${kind}${severity ? ` (${severity})` : ''}  ${from} to ${to}`,
    `    ${detail}`,
    ...(rules.length > 0 ? [`    ${rules.join(' ')}`] : []),
    ...(count > 1 ? [`    and ${thousands(count - 1)} more of this kind until ${lastIso}`] : []),
  ];
}
