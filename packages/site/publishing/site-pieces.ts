import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LARGEST_HAR_BYTES } from '@candleproof/client/har/har';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Run } from '@candleproof/law/judge/verdict';
import type { LoadRun } from '@candleproof/load/load-run';
import type { KillMatrix } from '@candleproof/reports/kill-matrix/facts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { MonthRecord } from '../month.ts';
import type { TargetRecord } from '../records.ts';
import type { RuleRecord } from '../site-records.ts';

export type SitePieces = {
  readonly run: Run;
  readonly load: LoadRun;
  readonly matrix: KillMatrix;
  readonly month: MonthRecord;
  /** api/targets/TARGET.json and api/rules.json of the site itself. */
  readonly target: TargetRecord;
  readonly rules: { readonly rules: readonly RuleRecord[] };
};

const schemas = {
  run: new URL('../../../reports/run.schema.json', import.meta.url),
  pieces: new URL('../pieces.schema.json', import.meta.url),
  site: new URL('../site.schema.json', import.meta.url),
};

const places: Readonly<Record<keyof SitePieces, readonly [schema: keyof typeof schemas, part: string]>> = {
  run: ['run', ''],
  load: ['pieces', '#/$defs/load'],
  matrix: ['pieces', '#/$defs/matrix'],
  month: ['pieces', '#/$defs/month'],
  target: ['site', '#/$defs/target'],
  rules: ['site', '#/$defs/rules'],
};

const ajv = new Ajv2020({ allowUnionTypes: true });
const compiled = new Map<keyof SitePieces, ValidateFunction>();

/** Parses a piece, or describes the place at which it violates its schema. */
export function readPiece<Kind extends keyof SitePieces>(
  kind: Kind,
  text: string,
): { readonly piece: SitePieces[Kind] } | { readonly wrong: string } {
  const accepts = compiled.get(kind) ?? compile(kind);
  const piece = parseJson(text);
  if (piece === undefined) return { wrong: 'it is no JSON' };
  if (accepts(piece)) return { piece: piece as SitePieces[Kind] };
  const [{ instancePath = '', message = 'is wrong' } = {}] = accepts.errors ?? [];
  return { wrong: `${instancePath || 'the whole'} ${message}` };
}

function compile(kind: keyof SitePieces): ValidateFunction {
  const [name, part] = places[kind];
  if (ajv.getSchema(name) === undefined) {
    const { $id: _, ...schema } = JSON.parse(readFileSync(schemas[name], 'utf8'));
    ajv.addSchema(schema, name);
  }
  const accepts = ajv.compile({ $ref: `${name}${part}` });
  compiled.set(kind, accepts);
  return accepts;
}

/** Parses a JSON text; undefined for none, and for invalid JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type PublishInput =
  | { readonly kind: 'run'; readonly run: Run; entries(): readonly unknown[] | undefined }
  | { readonly kind: 'load'; readonly load: LoadRun }
  | { readonly kind: 'matrix'; readonly matrix: KillMatrix }
  | { readonly kind: 'store'; readonly folder: string };
const mostBytes = 64 * 1024 * 1024;

/** A load's folder also has a run.json with its kept exchanges, so load.json comes first. */
const kinds = ['load.json', 'kill-matrix.json', 'run.json', 'results.db'] as const;

/**
 * Reads the content of a path: the folder of a check, a load, a kill matrix or a results store, or the JSON file in it.
 */
export function readInput(path: string): PublishInput {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found)
    throw new UsageError(`publish: ${path}: there is no such folder or file; give the folder of a run`);
  const isFolder = found.isDirectory();
  const name = kinds.find((kind) => (isFolder ? existsSync(join(path, kind)) : path.endsWith(kind)));
  const file = isFolder ? join(path, name ?? '') : path;
  switch (name) {
    case 'load.json':
      return { kind: 'load', load: readSound('load', file) };
    case 'kill-matrix.json':
      return { kind: 'matrix', matrix: readSound('matrix', file) };
    case 'run.json':
      return { kind: 'run', run: readSound('run', file), entries: () => entriesBeside(file) };
    case 'results.db':
      return { kind: 'store', folder: dirname(file) };
    default:
      throw new UsageError(
        `publish: ${path} holds none of ${kinds.join(', ')}: give the folder of a check, a load, a kill matrix or a results store`,
      );
  }
}

/** Reads a piece that matches its schema. Throws a UsageError with the place. */
function readSound<Kind extends 'run' | 'load' | 'matrix'>(kind: Kind, file: string): SitePieces[Kind] {
  const read = readPiece(kind, readNamedFile(file, 'publish', mostBytes));
  if ('piece' in read) return read.piece;
  throw new UsageError(`publish: ${file}: ${read.wrong}; give the file that ${writers[kind]} wrote`);
}

const writers = {
  run: 'candleproof check',
  load: 'candleproof load',
  matrix: 'candleproof serve faults',
} as const;

/**
 * Returns the entries of the recording beside a run, unchanged; undefined if there is none. Accepts only our
 * recordings, which never contain secrets.
 */
function entriesBeside(file: string): readonly unknown[] | undefined {
  const har = join(dirname(file), 'exchanges.har');
  if (!existsSync(har)) return undefined;
  const { log } = (parseJson(readNamedFile(har, 'publish', LARGEST_HAR_BYTES)) ?? {}) as { log?: OwnLog };
  if (!log?._candleproof || !Array.isArray(log.entries))
    throw new UsageError(
      `publish: ${har} is no recording of ours: publish what candleproof check or judge wrote`,
    );
  return log.entries;
}

type OwnLog = { readonly _candleproof?: object; readonly entries?: readonly unknown[] };
