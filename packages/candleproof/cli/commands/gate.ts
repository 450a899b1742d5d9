import { tableUnits } from '@candleproof/document/layout/written-times';
import { readTime } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { type GapMode, gapModes } from '@candleproof/gate/gated';
import { readInterval } from '@candleproof/gate/judging/grid';
import { type ColumnChoice, columnsHint, readColumns } from '@candleproof/gate/reading/columns';
import type { Command } from 'commander';
import { addPastFlags, readWord } from '../running/candle-flags.ts';
import { FileOption, forceFlag } from '../running/file-option.ts';
import { headings, option } from '../running/options.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';
import type { TableFlags } from './gate-files.ts';
import { gatePast, refuseOthers, type TargetFlags } from './gate-past.ts';

/** Adds the command `gate` to the program. */
export function registerGate(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('gate [files...]')
    .description(
      'judge candles from CSV or JSON files, also .gz and .zip, or Parquet, or the past of a target by the law of candles; see docs/gate.md',
    )
    .optionsGroup(headings.target)
    .option(
      '--target <name>',
      'the past of a target instead of files, by its name or address; see docs/audit.md',
    )
    .optionsGroup(headings.judged)
    .option(
      '--columns <list>',
      'what the columns are, in their order or as role=name (by their names)',
      columnsFlag,
    )
    .option(
      '--interval <length>',
      '5m, 1h, 1d, 1M or seconds; one, or one for each file (the usual step)',
      intervalFlag,
    )
    .addOption(
      option(
        '--unit <unit>',
        'of times: s, ms, us, ns, serial, iso, dmy or mdy (by the first of them)',
        (...given) => readWord(tableUnits, ...given),
      ),
    )
    .addOption(option('--now <time>', 'ISO 8601 or Unix seconds (now)', readTime))
    .option(
      '--same',
      'two files are of one market: list where they differ, and which of them the law doubts there',
    )
    .option('--join', 'the files are one table in this order, as those are whose names differ only in dates')
    .optionsGroup(headings.written)
    .option('--out <dir>', 'folder for damage.ndjson, gate.json and index.html')
    .addOption(
      new FileOption('--repair <file>', 'write which ranges to fetch again and which rows to drop, as JSON'),
    )
    .addOption(
      new FileOption('--clean <file>', 'write the rows that no rule doubts as CSV, with their line numbers'),
    )
    .option(...forceFlag);
  const gaps = option<GapMode>(
    '--gaps <mode>',
    'missing intervals: none is damage, idle is documented, observe lists them, sessions learns when to expect them',
    (...given) => readWord(gapModes, ...given),
    'sessions',
  ).helpGroup(headings.judged);
  addPastFlags(command, gaps).action(async (files: string[], flags: TableFlags & TargetFlags) => {
    const isPast = flags.target !== undefined || flags.baseUrl !== undefined;
    refuseOthers(command, isPast, files);
    if (isPast) exit(await gatePast(command, flags));
    else {
      // Set before the law is loaded, since the young generation keeps what it has taken.
      keepYoungSpaceSmall();
      const { gateFiles } = await import('./gate-files.ts');
      exit(await gateFiles(files, flags));
    }
  });
}

function columnsFlag(text: string): ColumnChoice {
  const columns = readColumns(text);
  if (columns === undefined) throw new UsageError(`--columns: "${text}": ${columnsHint}`);
  return columns;
}

/** Reads one interval for all files, or one for each, in seconds. */
function intervalFlag(text: string): number[] {
  return text.split(',').map((part) => {
    const seconds = readInterval(part);
    if (seconds === undefined)
      throw new UsageError(
        `--interval: "${part}" is none: give 5m, 1h, 1d, 1w, 1M or seconds; one for all files or one for each, by commas`,
      );
    return seconds;
  });
}
