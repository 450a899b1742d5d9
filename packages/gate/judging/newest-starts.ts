/** Most starts that are remembered, the newest: two weeks of minutes. */
const most = 20_000;

/** Remembers the starts of the last rows of a table without a grid, whose gaps do not show which times had a row. */
export class NewestStarts {
  readonly #starts = new Set<number>();

  add(start: number): void {
    this.#starts.add(start);
    if (this.#starts.size <= most) return;
    const [oldest] = this.#starts;
    this.#starts.delete(oldest as number);
  }

  has(start: number): boolean {
    return this.#starts.has(start);
  }
}
