import { joinNames } from './describe.ts';
import { thousands } from './thousands.ts';

/** Instants that a sentence names. */
const mostNamed = 3;

/**
 * `10:02:07, 10:02:11, 10:02:12 and 4 more`: the first of some instants (ISO 8601, UTC) of `count` in all, with their days
 * unless they are of one.
 */
export function listInstants(instants: readonly string[], count = instants.length): string {
  const sorted = instants.toSorted();
  const isOneDay = sorted.every((instant) => instant.slice(0, 10) === sorted[0]?.slice(0, 10));
  const all = sorted.map((instant) => (isOneDay ? instant.slice(11, 19) : `${instant.slice(0, 19)}Z`));
  const rest = count - mostNamed;
  const named = rest > 0 ? [...all.slice(0, mostNamed), `${thousands(rest)} more`] : all;
  return joinNames(named);
}
