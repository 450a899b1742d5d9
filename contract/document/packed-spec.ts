import type { ValidateFunction } from 'ajv';
import type { Operation, Parameter, Spec } from './spec.ts';

/** A spec as JSON, with its validators as the text of one CommonJS module: for a runtime without files and without ajv. */
export type PackedSpec = Omit<Spec, 'operations'> & {
  readonly code: string;
  readonly operations: readonly PackedOperation[];
};

/** Names the validators as the code exports them. */
export type PackedOperation = Omit<
  Operation,
  'acceptsShape' | 'acceptsRecord' | 'acceptsHeader' | 'parameters'
> & {
  readonly acceptsShape: string;
  readonly acceptsRecord: string;
  readonly acceptsHeader: string;
  readonly parameters: readonly (Omit<Parameter, 'accepts'> & { readonly accepts: string })[];
};

/** Unpacks a spec, which accepts and refuses the same values as the packed one. */
export function unpackSpec({ code, operations, ...facts }: PackedSpec): Spec {
  const validators: Record<string, ValidateFunction> = {};
  // The text comes from our own compiler and lies beside the script that runs it.
  new Function('exports', code)(validators);
  const named = (name: string): ValidateFunction => {
    const found = validators[name];
    if (!found) throw new Error(`the packed spec has no validator ${name}`);
    return found;
  };
  return {
    ...facts,
    operations: operations.map((each) => ({
      ...each,
      acceptsShape: named(each.acceptsShape),
      acceptsRecord: named(each.acceptsRecord),
      acceptsHeader: named(each.acceptsHeader),
      parameters: each.parameters.map((one) => ({ ...one, accepts: named(one.accepts) })),
    })),
  };
}
