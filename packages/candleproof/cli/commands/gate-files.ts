import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableUnit } from '@candleproof/document/layout/written-times';
import type { HashedChunks } from '@candleproof/files/hashed-chunks';
import type { NamedFile } from '@candleproof/files/named-file';
import { version } from '@candleproof/files/package-files';
import { isParquet, readParquetLines } from '@candleproof/files/parquet-lines';
import { explainUnreadable } from '@candleproof/files/read-file';
import { quoteForShell } from '@candleproof/files/shell-word';
import { readChunks, unpackChunks } from '@candleproof/files/unpacked-chunks';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import type { GateSource } from '@candleproof/gate/file-reading';
import { judgeFiles } from '@candleproof/gate/gate';
import type { GapMode, Gated, Tolerable } from '@candleproof/gate/gated';
import { renderGateTerminal } from '@candleproof/gate/page/gate-text';
import { type ColumnChoice, findRead } from '@candleproof/gate/reading/columns';
import { thousands } from '@candleproof/law/reading/words';
import { formatVisibleJson, makeVisible } from '@candleproof/reports/words/escape';
import { exits, hasSuspicion } from '../running/candle-flags.ts';
import { isStdout } from '../running/file-option.ts';
import {
  printLines,
  progressLine,
  terminalStyle,
  wordStream,
  writeParts,
  writeText,
} from '../words/output.ts';

/** The flags of a call about files. */
export type TableFlags = {
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

/** Judges candles in files, and writes what the flags ask for. Returns the exit code. */
export async function gateFiles(files: readonly string[], flags: TableFlags): Promise<number> {
  const { columns, unit, gaps, interval, tolerate = [], now = Math.floor(Date.now() / 1000) } = flags;
  if (interval && interval.length > 1 && interval.length !== files.length)
    throw new UsageError(
      `--interval: ${interval.length} for ${files.length} files: give one, or one for each`,
    );
  if (flags.clean !== undefined && files.includes('-'))
    throw new UsageError('--clean: reads each file twice, and standard input is read once; give a file');
  if (flags.out !== undefined) makeOutputFolder(flags.out);
  const doubted: ((line: number) => boolean)[] = [];
  const makeHash = await loadHash(flags);
  const progress = progressLine();
  try {
    const gated = await judgeFiles(
      files.map((file) => openSource(file, columns, makeHash?.())),
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
  const { columns, unit } = flags;
  const sources = names.map((name) => openSource(name, columns));
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

/** Returns what makes the hash of a file, if a result keeps it. */
async function loadHash({ json, out, repair }: TableFlags): Promise<(() => HashedChunks) | undefined> {
  if (!json && out === undefined && repair === undefined) return undefined;
  const { HashedChunks } = await import('@candleproof/files/hashed-chunks');
  return () => new HashedChunks();
}

/** Opens a file, or standard input for `-`. */
function openSource(name: string, columns: ColumnChoice | undefined, hashed?: HashedChunks): GateSource {
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
