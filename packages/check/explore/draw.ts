/** A batch that may be drawn: its place in the order of the seed, what its requests would show, and how many they are. */
export type Drawable = {
  readonly index: number;
  readonly cells: readonly RequestKind[];
  readonly cost: number;
};

type Candidate = Omit<Drawable, 'cells'> & { readonly cells: readonly number[] };

/** The traits of one request, and every pair of them, by name or number; some are worth more. */
export type RequestKind = readonly [name: string | number, worth: number];

/** Kinds of request that were drawn, and those that any of the batches has. */
export type Covered = { readonly kinds: number; readonly of: number };

/** Chooses the batch that covers the most new ground for its price. */
export class BatchDraw {
  readonly #worth: number[] = [];
  readonly #numbers = new Map<string | number, number>();
  readonly #seen = new Set<number>();
  #candidates: readonly Candidate[];

  constructor(batches: readonly Drawable[]) {
    this.#candidates = batches.map(({ index, cells, cost }) => ({
      index,
      cost,
      cells: [...new Set(cells.map((cell) => this.#numberKind(cell)))],
    }));
  }

  get covered(): Covered {
    return { kinds: this.#seen.size, of: this.#worth.length };
  }

  /** Returns the index of the next affordable batch; undefined if no batch shows anything new. */
  next(most: number): number | undefined {
    let best: Candidate | undefined;
    let bestGain = 0;
    for (const candidate of this.#candidates) {
      if (candidate.cost > most) continue;
      const gain = this.#computeGain(candidate) / candidate.cost;
      if (gain > bestGain) [best, bestGain] = [candidate, gain];
    }
    for (const cell of best?.cells ?? []) this.#seen.add(cell);
    return best?.index;
  }

  #computeGain({ cells }: Candidate): number {
    let gain = 0;
    for (const cell of cells) if (!this.#seen.has(cell)) gain += this.#worth[cell] ?? 0;
    return gain;
  }

  #numberKind([name, worthOfIt]: RequestKind): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#worth.length);
    return this.#worth.push(worthOfIt) - 1;
  }
}

type Part = { readonly share: number; readonly draw: BatchDraw; spent: number };

/** Chooses batches for several purposes, each of which may spend its share: one of them would always be worth most. */
export class SharedDraw<Purpose extends string> {
  readonly #parts: readonly Part[];
  #last: { readonly part: Part; readonly left: number } | undefined;

  constructor(
    shares: Readonly<Record<Purpose, number>>,
    batches: readonly (Drawable & { readonly purpose: Purpose })[],
  ) {
    this.#parts = (Object.keys(shares) as Purpose[]).map((purpose) => ({
      share: shares[purpose],
      draw: new BatchDraw(batches.filter((batch) => batch.purpose === purpose)),
      spent: 0,
    }));
  }

  get covered(): Covered {
    const all = this.#parts.map(({ draw }) => draw.covered);
    return {
      kinds: all.reduce((sum, { kinds }) => sum + kinds, 0),
      of: all.reduce((sum, { of }) => sum + of, 0),
    };
  }

  /** Returns the next batch of the purpose that has spent least of its share, where `left` is left to spend. */
  next(left: number): number | undefined {
    if (this.#last) this.#last.part.spent += this.#last.left - left;
    for (const part of this.#parts.toSorted(
      (one, other) => one.spent / one.share - other.spent / other.share,
    )) {
      const index = part.draw.next(left);
      if (index === undefined) continue;
      this.#last = { part, left };
      return index;
    }
    return undefined;
  }
}
