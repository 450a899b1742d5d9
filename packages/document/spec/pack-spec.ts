import type { AnySchema, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { makeAbsolute } from './bounded-schema.ts';
import { compileSpec, listExtensions, validation } from './load-spec.ts';
import type { PackedSpec } from './packed-spec.ts';
import type { Spec } from './spec.ts';

/** Packs the spec of some files, for a runtime that cannot read files or import ajv. Throws as compileSpec does. */
export function packSpec(files: Pick<Spec, 'file' | 'overlays'>): PackedSpec {
  const { operations, ...facts } = compileSpec(files.file, files.overlays);
  const ajv = new Ajv2020({ ...validation, code: { source: true } });
  ajv.addVocabulary(listExtensions(facts.document));
  ajv.addSchema(
    dropDescriptions(makeAbsolute({ $id: 'spec', $defs: facts.document.components?.schemas ?? {} })),
  );
  const names: Record<string, string> = {};
  const add = ({ schema }: ValidateFunction): string => {
    const name = `v${Object.keys(names).length}`;
    ajv.addSchema(dropDescriptions(schema as AnySchema), name);
    names[name] = name;
    return name;
  };
  const packed = operations.map((operation) => ({
    ...operation,
    acceptsShape: add(operation.acceptsShape),
    acceptsRecord: add(operation.acceptsRecord),
    acceptsHeader: add(operation.acceptsHeader),
    parameters: operation.parameters.map((one) => ({ ...one, accepts: add(one.accepts) })),
  }));
  return { ...facts, operations: packed, code: standalone.default(ajv, names) };
}

/** Drops descriptions: they judge nothing, and every worker that unpacks the spec would read them. */
function dropDescriptions<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  );
}
