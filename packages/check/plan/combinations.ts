/** A value of a factor, such as `agent none`, by its number. */
export type Value = number;

const names: string[] = [];
const numbers = new Map<string, Value>();

/** Numbers a value; there are fewer than `base`, since all are words of ours. */
export function numberValue(factor: string, value: string): Value {
  const name = `${factor} ${value}`;
  const known = numbers.get(name);
  if (known !== undefined) return known;
  names.push(name);
  numbers.set(name, names.length);
  return names.length;
}

const base = 1024;

/** Two or three values, in any order, as one number. */
export type Combination = number;

/** Returns the combination of two or three values. */
export function combine(one: Value, other: Value, third: Value = 0): Combination {
  const least = Math.min(one, other, third);
  const most = Math.max(one, other, third);
  return (least * base + (one + other + third - least - most)) * base + most;
}

/** Returns a pair in words. */
export function namePair(pair: Combination): string {
  return [Math.floor(pair / base), pair % base].map((value) => names[value - 1]).join(' & ');
}

/** The values of a request: those that it has anyway, and those of its manner. */
export type Values = { readonly facts: readonly Value[]; readonly ways: readonly Value[] };

/** Lists the pairs and triples in which a manner has a part: what needs combine is no choice of a run. */
export function listCombinations({ facts, ways }: Values): {
  readonly pairs: readonly Combination[];
  readonly triples: readonly Combination[];
} {
  const pairs: Combination[] = [];
  const triples: Combination[] = [];
  for (const [at, way] of ways.entries()) {
    const others = [...facts, ...ways.slice(0, at)];
    for (const [first, other] of others.entries()) {
      pairs.push(combine(way, other));
      for (const third of others.slice(0, first)) triples.push(combine(way, other, third));
    }
  }
  return { pairs, triples };
}
