import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Run } from '../../contract/judge/verdict.ts';
import { LARGEST_HAR_BYTES } from '../../http/har/har.ts';
import type { LoadRun } from '../../load/load-run.ts';
import type { KillMatrix } from '../../results/kill-matrix.ts';
import { readNamedFile } from '../files/read-file.ts';
import { readLoadRun } from '../loading/read-load-run.ts';
import { UsageError } from '../usage-error.ts';

/** What may be published, as it was found on the disk. */
export type PublishInput =
  | { readonly kind: 'run'; readonly run: Run; entries(): readonly unknown[] | undefined }
  | { readonly kind: 'load'; readonly load: LoadRun }
  | { readonly kind: 'matrix'; readonly matrix: KillMatrix }
  | { readonly kind: 'store'; readonly folder: string };

const mostBytes = 64 * 1024 * 1024;

/** A folder of load has a run.json too, of what it kept: the load is what it is about. */
const kinds = ['load.json', 'kill-matrix.json', 'run.json', 'results.db'] as const;

/** Reads what a path names: the folder of a check, a load, a kill matrix or a results store, or the JSON file in it. */
export function readInput(path: string): PublishInput {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const name = kinds.find((each) => (isFolder ? existsSync(join(path, each)) : path.endsWith(each)));
  const file = isFolder ? join(path, name ?? '') : path;
  switch (name) {
    case 'load.json':
      return { kind: 'load', load: readLoadRun(file, 'publish') };
    case 'kill-matrix.json':
      return { kind: 'matrix', matrix: readMatrix(file) };
    case 'run.json':
      return { kind: 'run', run: readRun(file), entries: () => entriesBeside(file) };
    case 'results.db':
      return { kind: 'store', folder: dirname(file) };
    default:
      throw new UsageError(
        `publish: ${path} holds none of ${kinds.join(', ')}: give the folder of a check, a load, a kill matrix or a results store`,
      );
  }
}

const schema = new URL('../../reports/run.schema.json', import.meta.url);
let accepts: ReturnType<Ajv2020['compile']> | undefined;

/** A run.json as its schema has it. Throws a UsageError with the place. */
function readRun(file: string): Run {
  const run = readJson(file);
  accepts ??= new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')));
  if (accepts(run)) return run as Run;
  const [{ instancePath = '', message = 'is wrong' } = {}] = accepts.errors ?? [];
  throw new UsageError(
    `publish: ${file}: ${instancePath || 'the whole'} ${message}; give the run.json that a check wrote`,
  );
}

function readMatrix(file: string): KillMatrix {
  const matrix = readJson(file) as Partial<KillMatrix> | null;
  const isOne =
    Array.isArray(matrix?.kills) &&
    Array.isArray(matrix.unbuilt) &&
    Number.isSafeInteger(matrix.versions?.catalogue) &&
    typeof matrix.startedAt === 'string' &&
    Array.isArray(matrix.healthy?.accused);
  if (!isOne)
    throw new UsageError(
      `publish: ${file} is no kill matrix: give the kill-matrix.json of candleproof faults`,
    );
  return matrix as KillMatrix;
}

function readJson(file: string): unknown {
  const text = readNamedFile(file, 'publish', mostBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`publish: ${file} is no JSON; give the file that candleproof wrote`);
  }
}

/**
 * The entries of the recording beside a run, as they stand there; undefined where there is none. Only a recording of
 * ours is without secrets from the moment that it was written.
 */
function entriesBeside(file: string): readonly unknown[] | undefined {
  const har = join(dirname(file), 'exchanges.har');
  if (!existsSync(har)) return undefined;
  const { log } = (parsed(readNamedFile(har, 'publish', LARGEST_HAR_BYTES)) ?? {}) as { log?: OwnLog };
  if (!log?._candleproof || !Array.isArray(log.entries))
    throw new UsageError(
      `publish: ${har} is no recording of ours: publish what candleproof check or judge wrote`,
    );
  return log.entries;
}

type OwnLog = { readonly _candleproof?: object; readonly entries?: readonly unknown[] };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
