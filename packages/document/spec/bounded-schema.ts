import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { escapePointer, type Follow, Misplaced, resolvePlace } from './place.ts';

/**
 * Limits the values of a schema and all that it refers to, counted once per reference: checking a value takes time in
 * proportion to them. An enum of a thousand names or a record of a hundred fields is below the limit.
 */
const mostOfAnswer = 5_000;

/** A parameter is checked once per request. */
const mostOfParameter = 50_000;

/** Keywords that do not constrain values. */
const silent = /^(x-|(description|title|example|examples|default|\$comment|deprecated|externalDocs|xml)$)/;

/** Keywords that move the base of references. */
const moving = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'];

/**
 * Returns the number of maps and lists that a schema consists of. Throws Misplaced if checking a value against a schema could take unbounded time: the schema refers to itself or
 * is too large.
 */
export function checkBounds(
  follow: Follow,
  schema: unknown,
  place: string,
  of: 'answer' | 'parameter',
): number {
  const most = of === 'answer' ? mostOfAnswer : mostOfParameter;
  const weights = new Map<object, number | 'open'>();
  const weigh = (value: unknown, at: string): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = weights.get(value);
    if (known === 'open')
      throw new Misplaced(at, 'this schema leads back to itself: write as many levels as an answer has');
    if (known !== undefined) return known;
    weights.set(value, 'open');
    checkKeywords(value, at);
    let weight = 1;
    for (const [name, keyword] of Object.entries(value)) {
      if (silent.test(name) && !Array.isArray(value)) continue;
      weight += weigh(
        name === '$ref' ? follow(value, at) : keyword,
        resolvePlace(value, `${at}/${escapePointer(name)}`),
      );
      if (weight > most)
        throw new Misplaced(
          at,
          `this schema stands for more than ${most} values with all that it refers to: write a pattern instead of a long enum, or leave parts out`,
        );
    }
    weights.set(value, weight);
    return weight;
  };
  weigh(schema, place);
  return weights.size;
}

function checkKeywords(schema: object, place: string): void {
  const name = moving.find((name) => typeof (schema as Readonly<Record<string, unknown>>)[name] === 'string');
  if (name !== undefined)
    throw new Misplaced(`${place}/${name}`, `${name} cannot be followed: write a $ref that begins with "#/"`);
}

/** Compiles the schemas of a document, which check any value in bounded time. Throws Misplaced at any other schema. */
export class Compiler {
  readonly follow: Follow;
  readonly #ajv: Ajv2020;

  constructor(follow: Follow, ajv: Ajv2020) {
    this.follow = follow;
    this.#ajv = ajv;
  }

  schema(schema: unknown, place: string, of: 'answer' | 'parameter'): ValidateFunction {
    checkBounds(this.follow, schema, place, of);
    try {
      return this.#ajv.compile(makeAbsolute(schema) as object);
    } catch (error) {
      throw new Misplaced(place, `this schema cannot be compiled: ${explainFailure(error as Error)}`);
    }
  }
}

/** Words why a schema cannot be compiled; ajv stumbles over some values, such as null where a keyword takes a schema. */
function explainFailure(error: Error): string {
  return error instanceof TypeError
    ? 'a keyword of it has a value that it cannot have, such as null'
    : error.message.replaceAll('[object Object]', 'a map');
}

/** Makes references to the document's schemas absolute, so that a part can be compiled alone. */
export function makeAbsolute<T>(part: T): T {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"spec#/$defs/')) as T;
}
