import type { Distortion } from '../api/distortion.ts';
import { faultOf } from './registry.ts';

/** The faults in force in a running service; they may be switched between requests. */
export class SwitchedFaults {
  #on: readonly string[] = [];
  #distortions: readonly Distortion[] = [];

  /** Takes names or F-numbers. Throws UnknownFault. */
  constructor(namesOrNumbers: readonly string[]) {
    this.switch(namesOrNumbers);
  }

  /** Names of those in force, in the order given. */
  get on(): readonly string[] {
    return this.#on;
  }

  get distortions(): readonly Distortion[] {
    return this.#distortions;
  }

  /** Puts exactly these in force, or none of them. Throws UnknownFault, and leaves all as it was then. */
  switch(namesOrNumbers: readonly string[]): void {
    const faults = namesOrNumbers.map(faultOf);
    this.#on = faults.map(({ id }) => id);
    this.#distortions = faults.map(({ distortion }) => distortion);
  }
}
