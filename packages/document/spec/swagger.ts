import { createRequire } from 'node:module';
import { readMember } from './place.ts';
import { SpecError } from './spec.ts';
import type { SpecFile } from './spec-file.ts';

const load = createRequire(import.meta.url);

/**
 * Returns a file of Swagger 2.0 as OpenAPI 3.1; any other as it is. The converter is an optional peer, loaded here alone.
 * @throws SpecError if it is not installed
 */
export function convertSwagger(given: SpecFile): SpecFile {
  const { file, value } = given;
  const version = readMember(value, 'swagger');
  if (String(version) !== '2.0') return given;
  const { upgrade } = loadConverter(file);
  const schemes = readMember(value, 'schemes') ?? ['https'];
  try {
    const converted: unknown = upgrade({ ...(value as object), schemes }, '3.1');
    return { ...given, value: JSON.parse(JSON.stringify(converted)), convertedFrom: 'Swagger 2.0' };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SpecError(
      `${file}: this Swagger 2.0 cannot be converted: a part of it has another form; mend it, or convert it once`,
    );
  }
}

function loadConverter(file: string): typeof import('@scalar/openapi-upgrader') {
  try {
    return load('@scalar/openapi-upgrader');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new SpecError(
      `${file}: this is Swagger 2.0: install its converter, npm install @scalar/openapi-upgrader, or convert it to OpenAPI 3.1 once`,
    );
  }
}
