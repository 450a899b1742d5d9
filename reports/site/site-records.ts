import type { RuleResult } from '../../contract/judge/verdict.ts';
import type { LoadRun } from '../../load/load-run.ts';
import type { KillMatrix } from '../../results/kill-matrix.ts';
import type { MonthRecord } from './month.ts';
import type { Story } from './story.ts';

/** A rule's words, by the newest run that had it. */
export type RuleRecord = Pick<RuleResult, 'id' | 'level' | 'section' | 'statement' | 'why'> & {
  /** The run that it is taken from. */
  readonly target: string;
  readonly run: string;
  readonly startedAt: string;
};

export type PublishedMatrix = { readonly id: string; readonly matrix: KillMatrix };
export type PublishedLoad = { readonly id: string; readonly run: LoadRun };

/** A document of the package's gallery: what it describes and what the law can judge of it. */
export type GalleryEntry = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The page that it was written from, and the day (YYYY-MM-DD). */
  readonly source: string;
  readonly read: string;
  readonly server: string;
  readonly pools: readonly string[];
  readonly needsKey: boolean;
  /** An interval without trades may have no row. */
  readonly lacksIdle: boolean;
  readonly maxRows?: number;
  readonly ratePerMinute?: number;
  readonly intervals: readonly string[];
  /** The groups that can be judged, with their rules and questions that apply, and all of them. */
  readonly groups: readonly { readonly group: string; readonly judged: number; readonly of: number }[];
  /** Rules and questions of the catalogue. */
  readonly all: number;
};

/** All that the pages over several runs are made of; each list in the order in which it is shown. */
export type SiteRecords = {
  /** ISO 8601: the instant that the site is reported as of. */
  readonly now: string;
  readonly stories: readonly Story[];
  readonly rules: readonly RuleRecord[];
  /** The newest first. */
  readonly matrices: readonly PublishedMatrix[];
  readonly loads: readonly PublishedLoad[];
  readonly months: readonly MonthRecord[];
};

/** A file of the site: its path below the root and its text. */
export type SiteFile = readonly [path: string, text: string];

/** The proof of an edition: the newest matrix of it that played all faults, else the newest. */
export function findProof(
  { matrices }: Pick<SiteRecords, 'matrices'>,
  edition: number,
): PublishedMatrix | undefined {
  const sameEdition = matrices.filter(({ matrix }) => matrix.versions.catalogue === edition);
  return sameEdition.find(({ matrix }) => matrix.rules !== undefined) ?? sameEdition[0];
}
