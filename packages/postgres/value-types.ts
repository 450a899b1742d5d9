import type { CustomTypesConfig, types } from 'pg';

const int8 = 20;

/** Reads columns as pg does, but int8 as bigint. */
export function valueTypes({ getTypeParser }: Pick<typeof types, 'getTypeParser'>): CustomTypesConfig {
  return {
    getTypeParser: (type, format) => (type === int8 ? BigInt : getTypeParser(type, format)),
  };
}
