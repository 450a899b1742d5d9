import type { Exchange } from '../contract/reading/exchange.ts';

/** What the script tells while it runs, one JSON a line on k6's console. */
export type LoadMessage =
  | { readonly kind: 'begun'; readonly startedAt: number; readonly protocol: string }
  | { readonly kind: 'progress'; readonly sent: number }
  | { readonly kind: 'breach'; readonly rules: readonly string[]; readonly exchange: Exchange };
