import { escapePointer, type Follow, Misplaced, placeOf } from './place.ts';

/**
 * Values of a schema with all that it refers to, each counted as often as it is referred to: checking a value takes
 * time that grows with their number. An enum of a thousand names and a record of a hundred fields are below it.
 */
const mostOfAnswer = 5_000;

/** A parameter is checked once for each request. */
const mostOfParameter = 50_000;

/** Say nothing of what a schema accepts. */
const silent = /^(x-|(description|title|example|examples|default|\$comment|deprecated|externalDocs|xml)$)/;

/** Move the places that references begin at. */
const moving = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'];

/**
 * Throws Misplaced where checking a value against a schema could take time beyond bounds: where the schema leads back to
 * itself, is too large, or wants the values of a list compared with each other.
 */
export function checkBounds(
  follow: Follow,
  schema: unknown,
  place: string,
  of: 'answer' | 'parameter',
): void {
  const most = of === 'answer' ? mostOfAnswer : mostOfParameter;
  const weights = new Map<object, number | 'open'>();
  const weigh = (value: unknown, at: string): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = weights.get(value);
    if (known === 'open')
      throw new Misplaced(at, 'this schema leads back to itself: write as many levels as an answer has');
    if (known !== undefined) return known;
    weights.set(value, 'open');
    checkKeywords(follow, value, at);
    let weight = 1;
    for (const [name, each] of Object.entries(value)) {
      if (silent.test(name) && !Array.isArray(value)) continue;
      weight += weigh(
        name === '$ref' ? follow(value, at) : each,
        placeOf(value, `${at}/${escapePointer(name)}`),
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
}

function checkKeywords(follow: Follow, schema: object, place: string): void {
  const { uniqueItems, items, ...others } = schema as Readonly<Record<string, unknown>>;
  const name = moving.find((each) => typeof others[each] === 'string');
  if (name !== undefined)
    throw new Misplaced(`${place}/${name}`, `${name} cannot be followed: write a $ref that begins with "#/"`);
  if (uniqueItems !== true) return;
  const { type } = (follow(items, place) ?? {}) as { type?: unknown };
  const types = [type].flat();
  if (types.includes(undefined) || types.includes('object') || types.includes('array'))
    throw new Misplaced(
      `${place}/uniqueItems`,
      'uniqueItems of maps or lists takes time beyond bounds: leave it out, or give items a type',
    );
}
