import { Misplaced, requireList, requireMap } from './place.ts';
import { type Annotated, missingPart } from './read-annotations.ts';
import type { NamedInterval } from './roles.ts';

/** An interval made of several parameters, with the text of each. */
export type PairedInterval = NamedInterval & { readonly texts: Readonly<Record<string, string>> };

/** Reads the intervals that several parameters make together, such as `{ multiplier: 5, timespan: minute }`. */
export function readPairedIntervals(operation: Annotated, place: string): PairedInterval[] | undefined {
  if (operation['x-intervals'] === undefined) return undefined;
  const at = `${place}/x-intervals`;
  const paired = requireList(operation['x-intervals'], at).map((given, index) => {
    const { 'x-seconds': seconds, ...values } = requireMap(given, `${at}/${index}`);
    if (!(Number.isInteger(seconds) && Number(seconds) > 0))
      throw new Misplaced(
        `${at}/${index}`,
        'x-seconds, the whole seconds of this interval, is missing here; add it',
      );
    const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    return { name: Object.values(texts).join('-'), seconds: Number(seconds), texts };
  });
  return paired.sort((one, other) => one.seconds - other.seconds);
}

/** Reads the intervals that the document gives a length, shortest first. */
export function readIntervals(schema: Annotated, place: string): NamedInterval[] {
  const seconds = Object.entries(requireMap(schema['x-seconds'] ?? {}, `${place}/x-seconds`));
  if (seconds.length === 0)
    throw missingPart(place, 'x-seconds, a map from each value to its length in seconds,');
  for (const [name, value] of seconds) {
    if (!Number.isInteger(value) || Number(value) <= 0)
      throw new Misplaced(
        `${place}/x-seconds`,
        `x-seconds of ${name} is ${JSON.stringify(value)}; give whole seconds`,
      );
  }
  return seconds
    .map(([name, value]) => ({ name, seconds: Number(value) }))
    .sort((one, other) => one.seconds - other.seconds);
}
