export const targets = ['mainnet', 'testnet'] as const;
export const locations = ['fra', 'nyc'] as const;

/** The begin of the play, Unix ms: 105 minutes before the clocks of London are set back. */
export const begin = Date.UTC(2026, 9, 24, 23, 15);

/** An event that begins at a second of the true time and lasts for `length` seconds. */
export type Episode = {
  readonly begin: number;
  readonly length: number;
} & (
  | {
      readonly kind: 'refuse' | 'hang' | 'lose' | 'flap' | 'limit' | 'wrong';
      readonly target: string;
    }
  /** The processes are paused or restarted, or their disks are full. */
  | { readonly kind: 'stop' | 'restart' | 'full' }
  /** The wall clock is set by so many ms, and set back at the end. */
  | { readonly kind: 'clock'; readonly by: number }
  /** mainnet changes one closed candle, or serves another past for a time. */
  | { readonly kind: 'restate' | 'replace' }
  /** Somebody else spends so many requests of mainnet's key. */
  | { readonly kind: 'foreign'; readonly requests: number }
  /** The month of mainnet's key ends. */
  | { readonly kind: 'turn' }
  /** Planned work at testnet, from one time of London's to another. */
  | { readonly kind: 'maintain'; readonly from: string; readonly to: string }
);

export type EpisodeKind = Episode['kind'];

/** Returns whether a second lies in an episode. */
export function isDuring({ begin: from, length }: Episode, second: number): boolean {
  return second >= from && second < from + length;
}

/** One fact: as the front knows it, and as a monitor reports it. */
export type TruthRow = { readonly fact: string; readonly truth: unknown; readonly reported: unknown };

export const watches = [
  ['mainnet', 'tokens'],
  ['testnet', 'tokens'],
  ['mainnet', 'history'],
] as const;
