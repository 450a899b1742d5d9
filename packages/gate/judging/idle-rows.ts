/** Rows before and after a short gap that must all have trades, so that its intervals have had some as well. */
const beside = 12;

/** A gap, and whether an idle row is near it. */
type GapBesideRows = { isNearIdle?: boolean };

/** Notes which gaps have an idle row near them: in a dozen rows of a busy market there is none. */
export class IdleRows {
  #rows = 0;
  #lastIdle = Number.NEGATIVE_INFINITY;
  /** The last gaps, with the number of rows before each. */
  #recent: { readonly gap: GapBesideRows; readonly rows: number }[] = [];

  add(isIdle: boolean): void {
    this.#rows++;
    if (!isIdle) return;
    this.#lastIdle = this.#rows;
    for (const { gap, rows } of this.#recent) if (this.#rows - rows <= beside) gap.isNearIdle = true;
    this.#recent = [];
  }

  /** Takes a gap before the row after it. */
  pass(gap: GapBesideRows): void {
    if (this.#rows - this.#lastIdle < beside) gap.isNearIdle = true;
    // Each gap has a row before it, so that no more than these are near a row.
    if (this.#recent.push({ gap, rows: this.#rows }) > beside) this.#recent.shift();
  }
}
