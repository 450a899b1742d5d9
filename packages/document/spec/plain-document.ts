import { inlineFiles } from './external-references.ts';
import { ReadingBudget } from './reading-budget.ts';
import { Origins, readSpecFile, withPlace } from './spec-file.ts';
import { convertSwagger } from './swagger.ts';

/**
 * Reads a document as an overlay sees it: with the parts that other files add, in the version in which it is written.
 * @throws SpecError for a file that cannot be used or a bound exceeded
 */
export function readPlainDocument(file: string): unknown {
  const origins = new Origins(new ReadingBudget());
  const main = convertSwagger(readSpecFile(file, origins.budget));
  origins.mark(main);
  withPlace(
    (pointer) => origins.findPlace(main, pointer),
    () => inlineFiles(main, origins),
  );
  return main.value;
}
