import { UsageError } from '../../files/usage-error.ts';
import { type GapMode, gapModes } from '../../gate/gated.ts';
import { readInterval } from '../../gate/judging/grid.ts';
import type { ColumnChoice } from '../../gate/reading/columns.ts';
import { columnsHint, readColumns } from '../../gate/reading/columns.ts';
import { type TableUnit, tableUnits } from '../../gate/reading/times.ts';

export function columnsFlag(text: string): ColumnChoice {
  const columns = readColumns(text);
  if (columns === undefined) throw new UsageError(`--columns: "${text}": ${columnsHint}`);
  return columns;
}

/** One for all files, or one for each. Seconds. */
export function intervalFlag(text: string): number[] {
  return text.split(',').map((each) => {
    const seconds = readInterval(each);
    if (seconds === undefined)
      throw new UsageError(
        `--interval: "${each}" is none: give 5m, 1h, 1d, 1w, 1M or seconds; one for all files or one for each, by commas`,
      );
    return seconds;
  });
}

export function unitFlag(text: string): TableUnit {
  return oneOf(tableUnits, text, '--unit');
}

export function gapsFlag(text: string): GapMode {
  return oneOf(gapModes, text, '--gaps');
}

function oneOf<Word extends string>(words: readonly Word[], text: string, flag: string): Word {
  const word = words.find((each) => each === text);
  if (word === undefined) throw new UsageError(`${flag}: "${text}": take ${words.join(', ')}`);
  return word;
}
