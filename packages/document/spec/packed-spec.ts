import type { ValidateFunction } from 'ajv';
import type { Operation, Parameter, Spec } from './spec.ts';

/** A spec as JSON, with its validators as the text of one CommonJS module, for a runtime without files and ajv. */
export type PackedSpec = Omit<Spec, 'operations'> & {
  readonly code: string;
  readonly operations: readonly PackedOperation[];
};

/** Names the validators as the code exports them. */
type PackedOperation = Omit<Operation, 'acceptsShape' | 'acceptsRecord' | 'acceptsHeader' | 'parameters'> & {
  readonly acceptsShape: string;
  readonly acceptsRecord: string;
  readonly acceptsHeader: string;
  readonly parameters: readonly (Omit<Parameter, 'accepts'> & { readonly accepts: string })[];
};

/** Unpacks a spec, which accepts and refuses the same values as the packed one. */
export function unpackSpec({ code, operations, ...facts }: PackedSpec): Spec {
  const validators: Record<string, ValidateFunction> = {};
  // The text comes from our compiler and lies beside the script that runs it.
  new Function('exports', code)(validators);
  const named = (name: string): ValidateFunction => {
    const found = validators[name];
    if (!found) throw new Error(`the packed spec has no validator ${name}`);
    return found;
  };
  return {
    ...facts,
    operations: operations.map((operation) => ({
      ...operation,
      acceptsShape: named(operation.acceptsShape),
      acceptsRecord: named(operation.acceptsRecord),
      acceptsHeader: named(operation.acceptsHeader),
      parameters: operation.parameters.map((one) => ({ ...one, accepts: named(one.accepts) })),
    })),
  };
}
