import type { RuleResult } from '@candleproof/law/judge/verdict';
import type { LoadRun } from '@candleproof/load/load-run';
import type { KillMatrix } from '@candleproof/reports/kill-matrix/facts';
import type { MonthRecord } from './month.ts';
import type { Story } from './story.ts';

/** A rule's texts, from the newest run that had it. */
export type RuleRecord = Pick<RuleResult, 'id' | 'level' | 'section' | 'statement' | 'why'> & {
  /** The run that they are taken from. */
  readonly target: string;
  readonly run: string;
  readonly startedAt: string;
};

export type PublishedMatrix = { readonly id: string; readonly matrix: KillMatrix };
export type PublishedLoad = { readonly id: string; readonly run: LoadRun };

/** A document of the package's gallery: its API, and what the law can judge of it. */
export type GalleryEntry = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The page that it was written from, and the day on which it was read (YYYY-MM-DD). */
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
  /** The groups that can be judged, with their number of rules and questions: applicable, and all. */
  readonly groups: readonly { readonly group: string; readonly judged: number; readonly of: number }[];
  /** Number of rules and questions of the catalogue. */
  readonly all: number;
};

/** The data of all pages over several runs; each list in display order. */
export type SiteRecords = {
  /** ISO 8601: the instant for which the site is drawn. */
  readonly now: string;
  /** The address at which it is served, if that is known. */
  readonly address?: URL | undefined;
  readonly stories: readonly Story[];
  readonly rules: readonly RuleRecord[];
  /** Newest first. */
  readonly matrices: readonly PublishedMatrix[];
  /** Newest first. */
  readonly loads: readonly PublishedLoad[];
  readonly months: readonly MonthRecord[];
};

/** A file of the site: its path below the root and its text. */
export type SiteFile = readonly [path: string, text: string];

/** Returns the proof of a catalogue: its newest matrix that played all faults, else its newest. */
export function findProof(
  { matrices }: Pick<SiteRecords, 'matrices'>,
  catalogue: string,
): PublishedMatrix | undefined {
  const ofCatalogue = matrices.filter(({ matrix }) => matrix.versions.catalogue === catalogue);
  return ofCatalogue.find(({ matrix }) => matrix.rules !== undefined) ?? ofCatalogue[0];
}
