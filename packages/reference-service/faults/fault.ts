import type { Distortion } from '../api/distortion.ts';

/** The minimum that shows a fault to a client. */
export type Shows =
  | 'one check'
  /** A minute or more apart. */
  | 'two checks'
  /** A key whose monthly quota is used up during the check. */
  | 'tiny key'
  /** A check across the end of a bucket or month. */
  | 'moved clock'
  | 'second key'
  | 'many samples';

/** The selectable sizes of a fault; all are greater than 0. */
export type Sizes = {
  readonly unit: string;
  /** Default size. */
  readonly usual: number;
  /** Sizes to try, from the mildest to the worst. */
  readonly scale: readonly number[];
};

/** A deliberate breach that the service can be started with, to show whether the judge finds it. */
export type Fault = {
  /** Descriptive name, unique in the catalogue. */
  readonly id: string;
  /** Number in the catalogue, such as F31; a letter marks a variant of the same fault. */
  readonly number: `F${number}${'' | 'b'}`;
  readonly class: string;
  /** The effect at the usual size. */
  readonly title: string;
  /** Ids of the rules that the service breaks; empty if no rule can find it. */
  readonly breaks: readonly string[];
  /** Ids of the questions whose answers change. */
  readonly alters?: readonly string[];
  readonly shows: Shows;
  /** Reason why no check finds a fault that needs many samples. */
  readonly reason?: string;
  /** The faulty request that shows it, if a check sends it only with some seeds. */
  readonly drawn?: string;
  readonly sizes?: Sizes;
  /** Makes the distortion, with fresh state whenever the fault is switched on. */
  readonly make: (size: number) => Distortion;
};

type Default = 'class' | 'breaks' | 'shows';

type Declared = Omit<Fault, 'number' | 'id' | Default> & Partial<Pick<Fault, Default>>;

/**
 * Returns the faults of a class, given by number and name, such as `F31 undivided-average`. Unless a fault declares
 * otherwise, it breaks no rule and one check shows it.
 */
export function declareFaults(
  name: string,
  faults: Readonly<Record<`${Fault['number']} ${string}`, Declared>>,
): readonly Fault[] {
  return Object.entries(faults).map(([called, fault]) => {
    const [number, id = ''] = called.split(' ') as [Fault['number'], string];
    return { class: name, breaks: [], shows: 'one check', number, id, ...fault };
  });
}
