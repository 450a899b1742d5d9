import { operationFor } from '../../contract/document/operation.ts';
import { rungSeconds } from '../../contract/document/rungs.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { Answer } from '../../contract/reading/reading.ts';
import type { Conventions } from '../../contract/relations/conventions.ts';
import { halvesOf, type Part } from './part.ts';
import { type Standing, standingOf } from './standing.ts';

/** A part that was not divided any further, and what it told. */
export type Leaf = { readonly part: Part; readonly standing: Standing; readonly answer?: Answer };

/** What the sweep knows so far. */
export type Known = {
  readonly spec: Spec;
  readonly answerTo: (part: Part) => Answer | undefined;
  readonly conventions: Conventions;
};

/**
 * A part as it was told: what a cut answer holds, and the rest of its part; the halves of one that was refused. Pure:
 * what to ask next follows from what was told.
 */
export function leavesOf(part: Part, known: Known, cutAt?: number): Leaf[] {
  const answer = known.answerTo(part);
  const standing = standingOf(answer, known.conventions, { depth: part.depth, cutAt });
  const leaf: Leaf = { part, standing, ...(answer && { answer }) };
  const [first, last] = [answer?.inTime[0], answer?.inTime.at(-1)];
  if (standing === 'cut' && first && last) {
    const { held, rest } = dividedAt(part, first.start, last.start, known);
    if (rest.length === 0) return [leaf];
    const kept: Leaf = { ...leaf, part: held, standing: 'whole' };
    return [kept, ...rest.flatMap((each) => leavesOf(each, known, answer?.inTime.length))];
  }
  if (standing !== 'cut' && standing !== 'refused') return [leaf];
  const halves = halvesOf(known.spec, part);
  return halves.length === 0 ? [leaf] : halves.flatMap((each) => leavesOf(each, known, cutAt));
}

/** The next part to ask for: of the widest that are left, the first one, so that every pool is asked before halves are. */
export function nextPart(wholes: readonly Part[], known: Known): Part | undefined {
  const open = wholes
    .flatMap((each) => leavesOf(each, known))
    .flatMap(({ part, standing }) => (standing === 'unasked' ? [part] : []));
  const depth = Math.min(...open.map((each) => each.depth));
  return open.find((each) => each.depth === depth);
}

/** The rows between two starts, which lie inside of `held`, and what is left before and after them, a row of them included. */
function dividedAt(
  part: Part,
  first: number,
  last: number,
  { spec, conventions: { alive } }: Known,
): { held: Part; rest: Part[] } {
  const length = rungSeconds(spec.rungs, part.interval);
  const born = alive.get(`${operationFor(spec, 'history').id} ${part.pool}`) ?? part.from;
  const isFront = first - length > Math.max(part.from, born);
  const isBack = last + 2 * length < part.to;
  const held = {
    ...part,
    ...(isFront && { from: first - 1 }),
    ...(isBack && { to: last + length + 1 }),
  };
  const depth = part.depth + 1;
  const rest = [
    ...(isFront ? [{ ...part, depth, to: first + length + 1 }] : []),
    ...(isBack ? [{ ...part, depth, from: last - 1 }] : []),
  ];
  // Rows from elsewhere, or one row at a time, lead nowhere.
  return { held, rest: rest.filter(({ from, to }) => to - from < part.to - part.from) };
}
