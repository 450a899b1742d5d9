import { thousands } from '../contract/reading/thousands.ts';
import type { FileReading } from './file-reading.ts';
import type { GapMode } from './gated.ts';
import type { OpenPair } from './judging/roll-up.ts';

/** Returns why the files cannot be called sound although nothing in them was found broken. */
export function undecidedOn(
  readings: readonly FileReading[],
  pairs: readonly OpenPair[],
  gaps: GapMode,
): string[] {
  const name = (at: number): string => readings[at]?.file ?? '';
  return [
    ...readings.flatMap(({ file, judge }) => {
      if (judge.rows === 0) return [`${file}: no rows`];
      if (judge.judged === 0) return [`${file}: no row with a price`];
      const { notJudged } = judge.measure();
      if (gaps !== 'none' || notJudged === undefined) return [];
      return [`${file}: nothing tells which intervals are missing, as --gaps none asks: ${notJudged}`];
    }),
    ...pairs.flatMap(({ longer, shorter, isNamedAlike, rollUp }) =>
      isNamedAlike && rollUp.isOfTwoMarkets()
        ? [
            `${name(longer)} against ${name(shorter)}: no candle agrees with its parts in any price; files of two markets take a call each`,
          ]
        : [],
    ),
  ];
}

/** Returns what else was not judged, and does not keep rows from being sound. */
export function remarksOn(
  readings: readonly FileReading[],
  pairs: readonly OpenPair[],
  gaps: GapMode,
): string[] {
  const paired = new Set(pairs.flatMap(({ longer, shorter }) => [longer, shorter]));
  return readings.flatMap((reading, at) => {
    const { file, judge } = reading;
    const { notJudged } = judge.measure();
    if (judge.judged === 0) return [];
    return [
      ...(notJudged === undefined || gaps === 'none'
        ? []
        : [`${file}: its grid and gaps are not judged: ${notJudged}`]),
      ...lackingIn(reading),
      ...(readings.length > 1 && !paired.has(at)
        ? [`${file}: no roll-up: no other file of its market has an interval that divides or holds its own`]
        : []),
    ];
  });
}

/** A column that the table has, in rows that leave it out. */
function lackingIn({ file, judge, table }: FileReading): string[] {
  const columns = ['average', 'volume'] as const;
  return columns.flatMap((column) => {
    const count = judge.lacking[column];
    if (count === 0 || table.form?.places[column] === undefined) return [];
    const rows =
      count === judge.judged ? 'every row' : `${thousands(count)} of ${thousands(judge.judged)} rows`;
    return [`${file}: ${column} is left out in ${rows}, and not judged there`];
  });
}
