import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TableUnit, tableUnits } from '@candleproof/document/layout/written-times';
import { HashedChunks } from '@candleproof/files/hashed-chunks';
import type { NamedFile } from '@candleproof/files/named-file';
import { version } from '@candleproof/files/package-files';
import { isParquet, readParquetLines } from '@candleproof/files/parquet-lines';
import { explainUnreadable } from '@candleproof/files/read-file';
import { readTime } from '@candleproof/files/read-numbers';
import { quoteForShell } from '@candleproof/files/shell-word';
import { readChunks, unpackChunks } from '@candleproof/files/unpacked-chunks';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import type { GateSource } from '@candleproof/gate/file-reading';
import { judgeFiles } from '@candleproof/gate/gate';
import { type GapMode, type Gated, gapModes, type Tolerable } from '@candleproof/gate/gated';
import { readInterval } from '@candleproof/gate/judging/grid';
import { renderGateTerminal } from '@candleproof/gate/page/gate-text';
import { type ColumnChoice, columnsHint, findRead, readColumns } from '@candleproof/gate/reading/columns';
import { thousands } from '@candleproof/law/reading/thousands';
import { formatVisibleJson, makeVisible } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { addPastFlags, exits, hasSuspicion, readWord } from '../running/candle-flags.ts';
import { FileOption, forceFlag, isStdout } from '../running/file-option.ts';
import { headings, option } from '../running/options.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';
import {
  printLines,
  progressLine,
  terminalStyle,
  wordStream,
  writeParts,
  writeText,
} from '../words/output.ts';
import { gatePast, refuseOthers, type TargetFlags } from './gate-past.ts';

type TableFlags = {
  readonly columns?: ColumnChoice;
  readonly interval?: number[];
  readonly unit?: TableUnit;
  readonly gaps: GapMode;
  readonly now?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly tolerate?: Tolerable[];
  readonly join?: boolean;
  readonly repair?: NamedFile;
  readonly clean?: NamedFile;
  readonly same?: boolean;
};

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
      keepYoungSpaceSmall();
      exit(await gate(files, flags));
    }
  });
}

async function gate(files: readonly string[], flags: TableFlags): Promise<number> {
  const { columns, unit, gaps, interval, tolerate = [], now = Math.floor(Date.now() / 1000) } = flags;
  if (interval && interval.length > 1 && interval.length !== files.length)
    throw new UsageError(
      `--interval: ${interval.length} for ${files.length} files: give one, or one for each`,
    );
  if (flags.clean !== undefined && files.includes('-'))
    throw new UsageError('--clean: reads each file twice, and standard input is read once; give a file');
  if (flags.out !== undefined) makeOutputFolder(flags.out);
  const doubted: ((line: number) => boolean)[] = [];
  const progress = progressLine();
  try {
    const gated = await judgeFiles(
      files.map((file) => openSource(file, flags)),
      {
        ...{ gaps, now },
        columns,
        unit,
        intervals: interval,
        tolerated: tolerate,
        ...(flags.join && { isOneTable: true }),
        ...(flags.same && { isSame: true }),
        onJudged: (isDoubted) => doubted.push(isDoubted),
        onProgress: (file, rows) => progress.show(`${makeVisible(file)}: ${thousands(rows)} rows`),
      },
    );
    progress.clear();
    const clean = flags.clean && readClean(gated, flags, doubted);
    await publish(gated, flags);
    if (flags.clean && clean) await writeParts(flags.clean, clean);
    nameWritten(flags);
    const isStrictlyDamaged =
      flags.strict &&
      (tolerate.length === 0 ? gated.counts.suspicion > 0 : hasSuspicion(gated.ranges, tolerate));
    return isStrictlyDamaged ? 1 : exits[gated.verdict];
  } finally {
    progress.clear();
  }
}

/** Returns the rows of the only table that no rule doubts, which are read once they are wanted. */
function readClean(
  { files }: Gated,
  flags: TableFlags,
  doubted: readonly ((line: number) => boolean)[],
): AsyncIterable<string> {
  const [table, isDoubted] = [files[0], doubted[0]];
  if (files.length > 1 || table === undefined || isDoubted === undefined)
    throw new UsageError('--clean: takes one table; give a call to each');
  const names = table.parts?.map(({ file }) => file) ?? [table.file];
  const sources = names.map((name) =>
    openSource(name, { ...flags, json: false, out: undefined, repair: undefined }),
  );
  const { columns, unit } = flags;
  return (async function* () {
    const { readCleanRows } = await import('@candleproof/gate/clean-rows');
    yield* readCleanRows(sources, { columns, unit }, isDoubted);
  })();
}

/** Writes what the flags ask for. What only they need is loaded for them, since most calls take less than a second. */
async function publish(gated: Gated, { out, json, repair, clean }: TableFlags): Promise<void> {
  if (repair !== undefined) {
    const { planRepair } = await import('@candleproof/gate/repair');
    writeText(repair, `${JSON.stringify(planRepair(gated), null, 2)}\n`);
  }
  if (out !== undefined) {
    const { gatePage } = await import('@candleproof/gate/page/gate-page');
    writeNamedFiles('--out', out, {
      'damage.ndjson': gated.ranges.map((range) => `${JSON.stringify(range)}\n`).join(''),
      'gate.json': `${JSON.stringify(gated, null, 2)}\n`,
      'index.html': gatePage(gated, version),
    });
  }
  if (json) {
    process.stdout.write(`${formatVisibleJson(gated)}\n`);
    return;
  }
  const taken = { json: isStdout(repair) || isStdout(clean) };
  printLines(renderGateTerminal(gated, terminalStyle(taken), '--strict'), taken);
  if (out !== undefined) wordStream(taken).write(`report: ${join(out, 'index.html')}\n`);
}

/** Prints which files of flags were written. */
function nameWritten({ json, repair, clean }: TableFlags): void {
  const stream = wordStream({ json: json || isStdout(repair) || isStdout(clean) });
  for (const named of [repair, clean])
    if (named !== undefined && !isStdout(named)) stream.write(`written: ${makeVisible(named.file)}\n`);
}

/** Opens a file, or standard input for `-`. Its bytes are hashed where a result keeps the hash. */
function openSource(name: string, { columns, json, out, repair }: TableFlags): GateSource {
  const hashed = json || out !== undefined || repair !== undefined ? new HashedChunks() : undefined;
  const [file, chunks] =
    name === '-'
      ? ['standard input', unpackChunks(hash(process.stdin, hashed, false), 'gate: standard input')]
      : [name, readTable(name, columns, hashed)];
  return { file, chunks, ...(hashed && { sha256: () => hashed.sum }) };
}

function hash(
  chunks: AsyncIterable<Uint8Array>,
  hashed: HashedChunks | undefined,
  isFile: boolean,
): AsyncIterable<Uint8Array> {
  return hashed ? hashed.pass(chunks, isFile) : chunks;
}

/** Reads a named file, unpacked, and the used columns of Parquet as lines of CSV. A pipe is opened once. */
async function* readTable(
  file: string,
  columns: ColumnChoice | undefined,
  hashed: HashedChunks | undefined,
): AsyncGenerator<Uint8Array> {
  const opened = await open(file).catch((error) => {
    if (/^https?:/.test(file))
      throw new UsageError(
        `gate: it sends nothing; curl -fsS ${quoteForShell(file)} | npx candleproof gate -`,
      );
    throw explainUnreadable(file, 'gate', error);
  });
  try {
    const isFile = (await opened.stat()).isFile();
    const all = hash(readChunks(opened, file, 'gate'), hashed, isFile);
    if (await isParquet(opened)) {
      yield* readParquetLines(opened, file, 'gate', (names) => findRead(names, columns));
      if (hashed) for await (const _ of all);
    } else yield* unpackChunks(all, `gate: ${file}`);
  } finally {
    await opened.close();
  }
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
