/**
 * Whose a grid's slots are where several share it: with `of` of them, those are one's own whose number modulo `of` is
 * `index`. With `of` 0 none is.
 */
export type SlotShare = { readonly index: number; readonly of: number };

/** Of somebody who does not know yet with whom the grid is shared: what is sent twice is worse than what is missed. */
export const noShare: SlotShare = { index: 0, of: 0 };

/** The share of one among all who are there, in the order of their names. */
export function shareAmong(names: readonly string[], own: string): SlotShare {
  const index = [...new Set(names)].toSorted().indexOf(own);
  return index < 0 ? noShare : { index, of: new Set(names).size };
}

export function isOwn({ index, of }: SlotShare, number: number): boolean {
  return of > 0 && (((number - index) % of) + of) % of === 0;
}

/** How many of the numbers in [from, to) are one's own. */
export function countOwn({ index, of }: SlotShare, from: number, to: number): number {
  if (of === 0) return 0;
  return Math.max(0, Math.ceil((to - index) / of) - Math.ceil((from - index) / of));
}

export function isSameShare(one: SlotShare, other: SlotShare): boolean {
  return one.index === other.index && one.of === other.of;
}
