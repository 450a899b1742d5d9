import type { Run } from '../../contract/judge/verdict.ts';
import type { KeptExchange } from './kept-exchange.ts';

/** A run on its way into the site. */
export type PublishedRun = {
  readonly run: Run;
  readonly id: string;
  /** The target's folder. */
  readonly slug: string;
  readonly kept: readonly KeptExchange[];
};
