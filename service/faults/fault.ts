import type { Distortion } from '../api/distortion.ts';

/** The least that can show a fault to somebody outside. */
export type Shows =
  | 'one check'
  /** A minute or more apart. */
  | 'two checks'
  /** A key whose month is used up during the check. */
  | 'tiny key'
  /** A check while a bucket or the month rolls over. */
  | 'moved clock'
  | 'second key'
  | 'many samples';

/** How far a fault goes, where that can be chosen; every size is greater than 0. */
export type Sizes = {
  readonly unit: string;
  /** The size of the fault when none is named. */
  readonly usual: number;
  /** Sizes worth trying, from the mildest to the worst. */
  readonly scale: readonly number[];
};

/** A deliberate breach that the service can be started with, to see whether the judge finds it. */
export type Fault = {
  /** Speaking name, unique in the catalogue. */
  readonly id: string;
  /** Number in the catalogue, such as F31; a letter tells another form of the same fault. */
  readonly number: `F${number}${'' | 'b'}`;
  readonly class: string;
  /** What the service then does, at the usual size. */
  readonly title: string;
  /** Ids of the rules that the service then breaks; empty where no rule can tell. */
  readonly breaks: readonly string[];
  /** Ids of the questions that it then answers otherwise. */
  readonly alters?: readonly string[];
  readonly shows: Shows;
  /** Why no check tells it, for what takes many samples. */
  readonly reason?: string;
  /** The faulty request that shows it, where a check sends it only with some seeds. */
  readonly drawn?: string;
  readonly sizes?: Sizes;
  /** The distortion, made anew whenever the fault is switched on, so that its memory begins empty. */
  readonly make: (size: number) => Distortion;
};
