/** So many are remembered: a slot is settled soon after it was due. */
const most = 50;

type Absence = { readonly from: number; readonly to: number; readonly why: string };

/** Why slots of certain times could not be run, as far as the monitor knows. Unix ms, both ends included. */
export class Absences {
  #known: readonly Absence[] = [];

  add(absence: Absence): void {
    this.#known = [...this.#known, absence].slice(-most);
  }

  /** Moves them with a clock that was set. */
  shift(by: number): void {
    this.#known = this.#known.map(({ from, to, why }) => ({ from: from + by, to: to + by, why }));
  }

  /** Of a slot that was missed; the cause that is known last counts. */
  reasonFor(slot: number): string {
    const cause = this.#known.findLast(({ from, to }) => slot >= from && slot <= to);
    return cause?.why ?? 'the monitor was too busy to run it in time';
  }
}
