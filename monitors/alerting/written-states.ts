import type { Json } from '../results/results-store.ts';
import type { AlertBook } from './alert-book.ts';
import { toJson } from './cause.ts';
import { alertStates } from './stored-alerts.ts';

/** States by their names; undefined for one that is not there. */
export type NamedStates = readonly (readonly [name: string, state: object | undefined])[];

/** The states as the store has them, so that only those that changed are written again. */
export class WrittenStates {
  readonly #written = new Map<string, string>();

  /** Returns the states that the store does not have as they are; null forgets one. */
  takeFresh(states: NamedStates): Readonly<Record<string, Json>> {
    const fresh = states.filter(([name, state]) => this.isFresh(name, state));
    return Object.fromEntries(
      fresh.map(([name, state]) => [name, state === undefined ? null : toJson(state)]),
    );
  }

  /** Returns the states that changed, of the alerts and of these sources. */
  takeAll(
    sources: readonly { readonly states: NamedStates }[],
    certificates: Readonly<Record<string, number>>,
    book: Pick<AlertBook, 'takeChanged' | 'alerts'>,
  ): Readonly<Record<string, Json>> {
    const isRenewed = this.isFresh('certificates', certificates);
    return {
      ...this.takeFresh(sources.flatMap(({ states }) => states)),
      ...alertStates(book.takeChanged(), book.alerts, isRenewed ? certificates : undefined),
    };
  }

  /** Returns whether a state is not written yet as it is; nothing is written of what was never there. */
  isFresh(name: string, state: object | undefined): boolean {
    const text = JSON.stringify(state) ?? '';
    if ((this.#written.get(name) ?? '') === text) return false;
    this.#written.set(name, text);
    return true;
  }
}
