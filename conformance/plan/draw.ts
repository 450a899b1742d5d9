/** `count` of these, the same for the same seed; each as likely as any other. */
export function draw<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  for (let turn = 0; turn < count && left.length > 0; turn++) {
    drawn.push(...left.splice(mixed(seed, turn) % left.length, 1));
  }
  return drawn;
}

/** Whole and not negative; neighbouring seeds have nothing in common. */
function mixed(seed: number, turn: number): number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(turn + 1, 0xc2b2ae35);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 15)) >>> 0;
}
