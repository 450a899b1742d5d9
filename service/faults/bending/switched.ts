import type { Distortion } from '../../api/distortion.ts';
import { type ChosenFault, chosenFault, distortionOf } from '../registry.ts';

/** The faults in force in a running service; they may be switched between requests. */
export class SwitchedFaults {
  #on: readonly string[] = [];
  #distortions: readonly Distortion[] = [];

  /** Takes names or F-numbers, with a size or without, such as `F60:600`. Throws UnknownFault. */
  constructor(wanted: readonly string[]) {
    this.switch(wanted);
  }

  /** Names of those in force, in the order given, each with its size where one was named. */
  get on(): readonly string[] {
    return this.#on;
  }

  get distortions(): readonly Distortion[] {
    return this.#distortions;
  }

  /**
   * Puts exactly these in force, or none of them; whatever they remembered is forgotten. Throws UnknownFault, and
   * leaves all as it was then.
   */
  switch(wanted: readonly string[]): void {
    const chosen = wanted.map(chosenFault);
    this.#on = chosen.map(nameOf);
    this.#distortions = chosen.map(distortionOf);
  }
}

function nameOf({ fault, size }: ChosenFault): string {
  return size === undefined ? fault.id : `${fault.id}:${size}`;
}
