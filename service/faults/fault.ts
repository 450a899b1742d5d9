import type { Distortion } from '../api/distortion.ts';

/** A deliberate breach that the service can be started with, to see whether the judge finds it. */
export type Fault = {
  /** Speaking name, unique in the catalogue. */
  readonly id: string;
  /** Number in the catalogue, such as F31. */
  readonly number: `F${number}`;
  readonly class: string;
  readonly title: string;
  /** Ids of the rules that the service then breaks. */
  readonly breaks: readonly string[];
  readonly distortion: Distortion;
};
