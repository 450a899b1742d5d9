import type { Finding } from '@candleproof/law/judge/verdict';
import { runParts } from '@candleproof/reports/run/run-parts';
import { findRows, showKept } from '@candleproof/reports/run/shown-exchange';
import { findCauses, headlineWithCause } from '@candleproof/reports/words/causes';
import { embedJson } from '@candleproof/reports/words/escape';
import { joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { findingAnchor, ruleAnchor, rulePath, runPath, siteName } from '../paths.ts';
import type { SiteFile } from '../site-records.ts';
import { exchangeFiles, exchangesOfFindings, type PublishedRun } from './exchange-page.ts';
import { parentsOfRun, rootFrom, sitePage } from './site-page.ts';

/** Renders the report of a run as a page of the site; it does not depend on other runs, so that it never changes. */
function runPage(published: PublishedRun): SiteFile {
  const { run, id, slug, kept } = published;
  const path = runPath(slug, id);
  const root = rootFrom(path);
  const pages = new Set(kept.map(({ index }) => index));
  const linkRow = (exchange: number, pointer: string): string | undefined => {
    const found = kept.find(({ index }) => index === exchange);
    if (!found) return undefined;
    const [id] = findRows(showKept(found.entry).body, exchange, [{ exchange, pointer }]).keys();
    return `exchanges/${exchange}/${id === undefined ? '' : `#${id}`}`;
  };
  const links = {
    row: linkRow,
    finding: {
      anchor: ({ fingerprint }: Finding) => findingAnchor(fingerprint),
      raw: (finding: Finding) => rawLinks(finding, pages),
    },
    rule: { anchor: ruleAnchor, href: (rule: string) => `${root}${rulePath(rule)}` },
  };
  const { description, header, main } = runParts(run, links, {
    kept: markup`The whole run is <a href="run.json">run.json</a>.`,
  });
  return sitePage({
    path,
    title: `${headlineWithCause(run, findCauses(run))}: ${siteName(run.target)}`,
    crumb: run.startedAt.slice(0, 10),
    parents: parentsOfRun(published).slice(0, 1),
    json: `${path}run.json`,
    description,
    data: { target: slug, run: id },
    header,
    main: markup`<p class="newer" hidden></p><p class="raw"><a href="changes/">Beside the runs before it</a></p>
${main}`,
  });
}

function rawLinks(finding: Finding, pages: ReadonlySet<number>): Markup {
  const shown = exchangesOfFindings([finding]).filter((exchangesOfFinding) => pages.has(exchangesOfFinding));
  if (shown.length === 0) return markup`What was received was not published.`;
  return markup`As it was received: ${joinParts(shown.map((exchange) => markup`<a href="exchanges/${exchange}/">exchange ${exchange}</a>`))}`;
}

/** Returns the permanent files of a run: run.json, its page, and every exchange as entry and page. */
export function runFiles(published: PublishedRun): SiteFile[] {
  const { run, id, slug } = published;
  const path = runPath(slug, id);
  return [
    [`${path}run.json`, embedJson(run)],
    runPage(published),
    ...published.kept.flatMap((keptExchange) => exchangeFiles(published, keptExchange)),
  ];
}
