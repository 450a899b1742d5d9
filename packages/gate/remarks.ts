import { thousands } from '@candleproof/law/reading/words';
import type { FileReading } from './file-reading.ts';
import type { GapMode } from './gated.ts';
import { isCalendar } from './judging/grid.ts';
import type { OpenPair } from './judging/market.ts';

/** Returns the reasons why the files are not sound although nothing in them is broken. */
export function listUndecided(
  readings: readonly FileReading[],
  pairs: readonly OpenPair[],
  gaps: GapMode,
): string[] {
  const name = (at: number): string => readings[at]?.file ?? '';
  return [
    ...readings.flatMap(({ file, judge }) => {
      if (judge.rows === 0) return [`${file}: no rows`];
      if (judge.judged === 0) return [`${file}: no row with a price`];
      const { notJudged, length } = judge.measure();
      if (gaps !== 'none' || notJudged === undefined || isCalendar(length)) return [];
      return [`${file}: nothing tells which intervals are missing, as --gaps none asks: ${notJudged}`];
    }),
    ...pairs.flatMap((open) => {
      const { longer, shorter, isNamedAlike } = open.pair;
      if (!isNamedAlike || !open.rollUp.isTwoMarkets() || open.findShift()) return [];
      const what = 'no candle agrees with its parts in any price; files of two markets take a call each';
      return [`${name(longer)} against ${name(shorter)}: ${what}`];
    }),
  ];
}

/** Rows from which a table without ranges and volumes is remarkable. */
const fewestRows = 12;

/** Returns remarks on unjudged parts, without effect on the verdict. */
export function listRemarks(
  readings: readonly FileReading[],
  pairs: readonly OpenPair[],
  { gaps, isSame = false }: { readonly gaps: GapMode; readonly isSame?: boolean },
): string[] {
  const paired = new Set(pairs.flatMap(({ pair }) => [pair.longer, pair.shorter]));
  return readings.flatMap((reading, at) => {
    const { file, judge, form, nights } = reading;
    const { notJudged } = judge.measure();
    if (judge.judged === 0) return [];
    return [
      ...[...(form?.notes ?? []), ...nights.notes].map((note) => `${file}: ${note}`),
      ...(notJudged === undefined || gaps === 'none'
        ? []
        : [`${file}: its grid is not judged: ${notJudged}`]),
      ...(judge.isOfSinglePrices && judge.judged >= fewestRows
        ? [`${file}: every row is one price without a volume: these are prices rather than candles`]
        : []),
      ...(judge.belowZero.isUsual && !judge.isAdjusted
        ? [
            `${file}: ${thousands(judge.belowZero.rows)} rows have prices of zero or below, as power, spreads and yields do; spikes and jumps are not judged`,
          ]
        : []),
      ...(judge.belowZero.released > 0 && !judge.belowZero.isUsual
        ? [
            `${file}: ${thousands(judge.belowZero.released)} rows have prices below zero, to which those before and after lead step by step`,
          ]
        : []),
      ...listRounded(reading),
      ...(judge.scaled.areScaled
        ? [
            `${file}: all prices lie between 0 and 1 and reach both, as scaled values and chances do: a zero alone is no damage`,
          ]
        : []),
      ...listIncompleteColumns(reading),
      ...(judge.areClosuresUnknown ? [`${file}: closed days are not known for this market`] : []),
      ...(readings.length > 1 && !isSame && !paired.has(at)
        ? [`${file}: no roll-up: no other file of its market has an interval that divides or holds its own`]
        : []),
    ];
  });
}

/** Lists rows whose high and low are rounded more than open and close. */
function listRounded({ file, judge }: FileReading): string[] {
  const { decimals, explained } = judge.rounded;
  if (decimals === undefined) return [];
  const count = decimals === 0 ? 'whole numbers' : decimals === 1 ? '1 decimal' : `${decimals} decimals`;
  const rows = explained === 1 ? '1 row' : `${thousands(explained)} rows`;
  return [
    `${file}: high and low are rounded to ${count}, fewer than open or close, which in ${rows} lies outside them by less than the last digit`,
  ];
}

/** Lists columns that are missing in some rows. */
function listIncompleteColumns({ file, judge, form }: FileReading): string[] {
  const columns = ['average', 'volume'] as const;
  return columns.flatMap((column) => {
    const count = judge.lacking[column];
    if (count === 0 || form?.places[column] === undefined) return [];
    const rows =
      count === judge.judged ? 'every row' : `${thousands(count)} of ${thousands(judge.judged)} rows`;
    const words = judge.absent[column] ? '-1 for none' : 'left out';
    return [`${file}: ${column} is ${words} in ${rows}, and not judged there`];
  });
}
