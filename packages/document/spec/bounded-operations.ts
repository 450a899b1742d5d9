import { checkBounds } from './bounded-schema.ts';
import { successHeaders, successSchema } from './compile-operation.ts';
import { listParameters, schemaPlace } from './list-parameters.ts';
import { type Follow, Misplaced } from './place.ts';
import { readOperationRole } from './read-annotations.ts';
import type { DescribedOperation } from './read-fields.ts';
import { findRows } from './rows.ts';

/** Limits the maps and lists in all schemas that are compiled, again for each operation: it takes seconds. */
const mostCompiled = 10_000;

/** Compiling a schema takes as long as so many maps in it, however small it is. */
const perSchema = 25;

/** Throws Misplaced if the operations have too many schemas together, before any of them is compiled. */
export function checkTogether(follow: Follow, described: readonly DescribedOperation[]): void {
  let weight = 0;
  for (const operation of described) {
    weight += weighOperation(follow, operation);
    if (weight > mostCompiled)
      throw new Misplaced(
        operation.place,
        `the operations with a role have more than ${mostCompiled} schemas together: leave some out, or make them smaller`,
      );
  }
}

/** Returns how long compiling an operation takes, in maps and lists; what cannot be weighed is never compiled. */
function weighOperation(follow: Follow, { tags, place }: DescribedOperation): number {
  const parameters = weighed(() => listParameters(follow, tags, place)).map(
    (listed) => ['parameter', listed.parameter.schema, schemaPlace(listed)] as const,
  );
  const answers = weighed(() => {
    const [schema, at] = successSchema(follow, tags, place);
    const rows = findRows(follow, schema, at, readOperationRole(tags, place));
    return [['answer', rows.shape, at] as const, ['answer', rows.record, rows.place] as const];
  });
  const headers = weighed(() => Object.values(successHeaders(follow, tags, place)).slice(0, 1)).map(
    ({ schema }) => ['answer', schema, `${place}/responses/200/headers`] as const,
  );
  return [...parameters, ...answers, ...headers]
    .flatMap(([of, schema, at]) => weighed(() => [perSchema + checkBounds(follow, schema ?? {}, at, of)]))
    .reduce((sum, weight) => sum + weight, 0);
}

/** Returns a list, or an empty one for a part with a mistake, which is reported when it is compiled. */
function weighed<T>(list: () => T[]): T[] {
  try {
    return list();
  } catch (error) {
    if (error instanceof Misplaced) return [];
    throw error;
  }
}
