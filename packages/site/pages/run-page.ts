import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { methodPart } from '@candleproof/reports/formats/html';
import { findingsPart } from '@candleproof/reports/run/findings';
import { findRowText, rowId } from '@candleproof/reports/run/marked-body';
import type { RowLink } from '@candleproof/reports/run/picture';
import { matrixPart, observationsPart } from '@candleproof/reports/run/rules';
import { showKept } from '@candleproof/reports/run/shown-exchange';
import { verdictPart } from '@candleproof/reports/run/verdict';
import { findCauses, headlineWithCause } from '@candleproof/reports/words/causes';
import { plural } from '@candleproof/reports/words/counts';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { maxInFull } from '@candleproof/reports/words/finding-words';
import { openingSentences } from '@candleproof/reports/words/headline';
import { joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { findingAnchor, ruleAnchor, rulePath, runPath, siteName } from '../paths.ts';
import type { SiteFile } from '../site-records.ts';
import { exchangeFiles, exchangesOfFindings, type PublishedRun } from './exchange-page.ts';
import { aboveRun, rootFrom, sitePage } from './site-page.ts';

/** Renders the report of a run as a page of the site; it does not depend on other runs, so that it never changes. */
function runPage(published: PublishedRun): SiteFile {
  const { run, id, slug, kept } = published;
  const path = runPath(slug, id);
  const root = rootFrom(path);
  const pages = new Set(kept.map(({ index }) => index));
  const links = {
    anchor: ruleAnchor,
    href: (rule: string) => `${root}${rulePath(rule)}`,
  };
  const row: RowLink = (exchange, pointer) => {
    const found = kept.find(({ index }) => index === exchange);
    if (!found) return undefined;
    const isMarked = findRowText(showKept(found.entry).body, pointer) !== undefined;
    return `exchanges/${exchange}/${isMarked ? `#${rowId(exchange, pointer)}` : ''}`;
  };
  const page = {
    anchor: ({ fingerprint }: Finding) => findingAnchor(fingerprint),
    raw: (finding: Finding) => rawLinks(finding, pages),
  };
  return sitePage({
    path,
    title: `${headlineWithCause(run, findCauses(run))}: ${siteName(run.target)}`,
    crumb: run.startedAt.slice(0, 10),
    above: aboveRun(published).slice(0, 1),
    json: `${path}run.json`,
    description: openingSentences(run).join(' '),
    data: { target: slug, run: id },
    header: verdictPart(run, row),
    main: markup`<p class="newer" hidden></p><p class="raw"><a href="changes/">Beside the runs before it</a></p>
${findingsPart(run, [], { row, page })}${restPart(run, pages)}${matrixPart(run, links)}${observationsPart(run)}${methodPart(run, markup`The whole run is <a href="run.json">run.json</a>.`)}`,
  });
}

function rawLinks(finding: Finding, pages: ReadonlySet<number>): Markup {
  const shown = exchangesOfFindings([finding]).filter((exchangesOfFinding) => pages.has(exchangesOfFinding));
  if (shown.length === 0) return markup`What was received was not published.`;
  return markup`As it was received: ${joinParts(shown.map((exchange) => markup`<a href="exchanges/${exchange}/">exchange ${exchange}</a>`))}`;
}

/** Renders permanent addresses also for findings that the page shows only in rows. */
function restPart(run: Run, pages: ReadonlySet<number>): Markup | undefined {
  const rest = run.findings.slice(maxInFull);
  if (rest.length === 0) return undefined;
  return markup`<details><summary>Exchanges of the ${plural(rest.length, 'more finding')}</summary><ul class="change-list">${rest.map((finding) => markup`<li id="${findingAnchor(finding.fingerprint)}"><code>${clip(finding.fingerprint, 200)}</code> ${rawLinks(finding, pages)}</li>`)}</ul></details>`;
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
