import { escapePointer, splitPointer } from '@candleproof/document/spec/place';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { describe } from './words.ts';

/** One departure of a record from its schema. */
export type Departure = {
  /** The schema's keyword: type, required, pattern, … */
  readonly keyword: string;
  /** The field concerned, such as `open` or `mid.open`; empty for the record itself. */
  readonly field: string;
  /** JSON pointer to it within the record. */
  readonly within: string;
  readonly expected: string;
  readonly actual: string;
};

/** Lists the departures of one value, in the schema's words. */
export function listDepartures(accepts: ValidateFunction, value: unknown): Departure[] {
  return listErrors(accepts, value).map((error) => describeDeparture(error, value));
}

/** Lists the validator's raw errors, which cost less. Pass one `context` if the same schema judges many values. */
export function listErrors(
  accepts: ValidateFunction,
  value: unknown,
  context = validationContext(),
): readonly ErrorObject[] {
  return accepts(value, context) ? none : (accepts.errors ?? none);
}

/** Returns a context that the validator would otherwise create for every value. */
export function validationContext(): DataValidationCxt {
  return { instancePath: '', parentData: {}, parentDataProperty: '', rootData: {}, dynamicAnchors: {} };
}

const none: readonly ErrorObject[] = [];

/** Words one error of the validator. */
export function describeDeparture(error: ErrorObject, value: unknown): Departure {
  const steps =
    error.keyword === 'required' ? [error.params.missingProperty] : splitPointer(error.instancePath);
  const field = steps.join('.');
  const within = steps.map((step) => `/${escapePointer(step)}`).join('');
  const found = steps.reduce((at: unknown, step) => (at as Record<string, unknown>)?.[step], value);
  return { keyword: error.keyword, field, within, expected: expectation(error), actual: describe(found) };
}

/** Words the expectation; a pattern is named by its schema's title. */
function expectation(error: ErrorObject): string {
  if (error.keyword === 'required') return 'this field, which is required';
  if (error.keyword === 'type') return error.params.type === 'array' ? 'a list' : `type ${error.params.type}`;
  if (error.keyword === 'pattern')
    return error.parentSchema?.title ?? `text of the form ${error.params.pattern}`;
  if (error.keyword === 'minimum') return `${error.params.limit} or more`;
  return (error.message ?? error.keyword).replace(/^must be /, '');
}
