/** The file in which openapi.yaml is not what it has to be: one line that names file, line and mend. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}
