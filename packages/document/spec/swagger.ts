import { createRequire } from 'node:module';
import { readMember } from './place.ts';
import { SpecError } from './spec.ts';
import type { SpecFile } from './spec-file.ts';

const load = createRequire(import.meta.url);

/** Converts Swagger 2.0; an optional peer, which is loaded for such a document alone. */
const converter = '@scalar/openapi-upgrader';

/** Returns a file of Swagger 2.0 as OpenAPI 3.1; any other as it is. Throws a SpecError if no converter is installed. */
export function convertSwagger(given: SpecFile): SpecFile {
  const { file, value } = given;
  const version = readMember(value, 'swagger');
  if (version === undefined) return given;
  const { upgrade } = loadConverter(file, version);
  const schemes = readMember(value, 'schemes') ?? ['https'];
  const converted: unknown = upgrade({ ...(value as object), schemes }, '3.1');
  return {
    ...given,
    value: JSON.parse(JSON.stringify(converted)),
    convertedFrom: `Swagger ${version}`,
  };
}

function loadConverter(
  file: string,
  version: unknown,
): { readonly upgrade: (document: object, version: '3.1') => unknown } {
  try {
    return load(converter);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new SpecError(
      `${file}: this is Swagger ${version}: install its converter, npm install ${converter}, or convert it to OpenAPI 3.1 once`,
    );
  }
}
