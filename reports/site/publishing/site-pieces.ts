import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Run } from '../../../contract/judge/verdict.ts';
import type { LoadRun } from '../../../load/load-run.ts';
import type { KillMatrix } from '../../../results/kill-matrix.ts';
import type { MonthRecord } from '../month-record.ts';
import type { TargetRecord } from '../records.ts';
import type { RuleRecord } from '../site-records.ts';

/** The pieces of a site, by their kind. */
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
  run: new URL('../../run.schema.json', import.meta.url),
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

/** A piece by its text, or the place where it departs from its schema, in words. */
export function readPiece<Kind extends keyof SitePieces>(
  kind: Kind,
  text: string,
): { readonly piece: SitePieces[Kind] } | { readonly wrong: string } {
  const accepts = compiled.get(kind) ?? compile(kind);
  const piece = parsed(text);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
