/** Freezes a tree of plain objects and arrays in place, and returns it. */
export function freezeDeep<T>(tree: T): T {
  if (typeof tree === 'object' && tree !== null && !Object.isFrozen(tree)) {
    Object.freeze(tree);
    for (const member of Object.values(tree)) freezeDeep(member);
  }
  return tree;
}
