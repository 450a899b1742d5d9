import type { Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { openingSentences } from '../words/headline.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import type { FindingLinks } from './finding.ts';
import { findingsPart } from './findings.ts';
import { methodPart } from './method.ts';
import type { RunPage } from './page.ts';
import type { RowLink } from './picture.ts';
import { matrixPart, observationsPart, type RuleLinks } from './rules.ts';
import { verdictPart } from './verdict.ts';

/** Links from the parts of a run: to rows of exchanges and, where they have them, permanent addresses of findings and rules. */
type RunLinks = {
  readonly row: RowLink;
  readonly finding?: FindingLinks;
  readonly rule?: RuleLinks;
};

/** Parts in which pages of one run differ: the exchanges at hand, those that the page shows, and where the whole run is. */
type RunPlace = {
  readonly exchanges?: readonly Exchange[];
  readonly shown?: Markup | undefined;
  readonly kept?: Part;
};

/** Renders the parts of which every page about a run is made: what it is in a sentence or two, its head, and all below. */
export function runParts(
  run: Run,
  { row, finding, rule }: RunLinks,
  { exchanges, shown, kept }: RunPlace,
): Pick<RunPage, 'header' | 'main'> & { readonly description: string } {
  return {
    description: openingSentences(run).join(' '),
    header: verdictPart(run, row),
    main: markup`${findingsPart(run, exchanges, { row, page: finding })}${matrixPart(run, rule)}${observationsPart(run)}${shown}${methodPart(run, kept)}`,
  };
}
