import type { Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { exchangesPart, linkRows, showExchanges } from '../run/exchanges.ts';
import { embeddedRun } from '../run/findings.ts';
import { page } from '../run/page.ts';
import { runParts } from '../run/run-parts.ts';
import { runContents } from '../run/verdict.ts';
import { causeHeadline, findCauses, findLeading } from '../words/causes.ts';
import { headline } from '../words/headline.ts';

/**
 * Renders the report of a run as one HTML file: no external request, every text of the target escaped, no script but one that copies texts. The
 * element with the id `run` holds the run as JSON, without examples if there are more findings than the page shows in
 * full. Shows the exchanges (by their index in the HAR) that findings name.
 */
export function renderHtml(run: Run, exchanges: readonly Exchange[] = []): string {
  const title = `${signs[run.verdict]} ${tabWords(run)}: ${run.target.name} · Candleproof`;
  const shown = showExchanges(run, exchanges);
  return page({
    title,
    kind: 'conformance report',
    contents: runContents(run),
    ...runParts(run, { row: linkRows(shown) }, { exchanges, shown: exchangesPart(shown) }),
    embedded: { id: 'run', value: embeddedRun(run) },
    hasCopies: true,
  });
}

/** Names the leading cause; without one, the verdict with what it leaves out. */
function tabWords(run: Run): string {
  const causes = findCauses(run);
  return findLeading(run, causes) ? causeHeadline(run, causes) : headline(run);
}

/** The verdict in a narrow tab. */
const signs = { conformant: '✓', nonconformant: '✕', inconclusive: '?' } as const;
