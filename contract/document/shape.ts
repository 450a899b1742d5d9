import type { ErrorObject, ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { describe } from '../reading/describe.ts';

/** Where and how a record departs from its schema in openapi.yaml. */
export type Departure = {
  /** The schema's keyword: type, required, pattern, … */
  readonly keyword: string;
  /** The field concerned; empty for the record itself. */
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
};

/** All departures of one value, in the schema's words. */
export function departures(accepts: ValidateFunction, value: unknown): Departure[] {
  return errorsOf(accepts, value).map((error) => departureOf(error, value));
}

/** The same in the validator's words, which cost less; `context` where the same schema judges many values. */
export function errorsOf(
  accepts: ValidateFunction,
  value: unknown,
  context = contextOfValues(),
): readonly ErrorObject[] {
  return accepts(value, context) ? none : (accepts.errors ?? none);
}

/** What the validator would make anew for each of many thousand values. */
export function contextOfValues(): DataValidationCxt {
  return { instancePath: '', parentData: {}, parentDataProperty: '', rootData: {}, dynamicAnchors: {} };
}

const none: readonly ErrorObject[] = [];

export function departureOf(error: ErrorObject, value: unknown): Departure {
  const field = error.keyword === 'required' ? error.params.missingProperty : error.instancePath.slice(1);
  const found = field === '' ? value : (value as Record<string, unknown>)[field];
  return { keyword: error.keyword, field, expected: expectation(error), actual: describe(found) };
}

/** A pattern is reported in words, which its schema has as a title. */
function expectation(error: ErrorObject): string {
  if (error.keyword === 'required') return 'this field, which is required';
  if (error.keyword === 'type') return error.params.type === 'array' ? 'a list' : `type ${error.params.type}`;
  if (error.keyword === 'pattern')
    return error.parentSchema?.title ?? `text of the form ${error.params.pattern}`;
  if (error.keyword === 'minimum') return `${error.params.limit} or more`;
  return (error.message ?? error.keyword).replace(/^must be /, '');
}
