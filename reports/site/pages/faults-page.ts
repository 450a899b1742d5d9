import { killMatrixParts } from '../../kill-matrix/kill-matrix.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { faultsPath, hasPage, rulePath } from '../paths.ts';
import { findProof, type PublishedMatrix, type SiteFile, type SiteRecords } from '../site-records.ts';
import { faultGrid } from './fault-grid.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';

/** The proof of each edition, and the list of editions. */
export function faultsFiles(records: SiteRecords): SiteFile[] {
  const editions = [...new Set(records.matrices.map(({ matrix }) => matrix.versions.catalogue))].sort(
    (a, b) => b - a,
  );
  return [listFile(editions), ...editions.map((edition) => editionFile(edition, records))];
}

function listFile(editions: readonly number[]): SiteFile {
  const page = sitePage({
    path: 'faults/',
    title: 'Faults · Candleproof',
    trail: [{ name: 'Faults', path: 'faults/' }],
    json: 'api/index.json',
    header: plainHead('Candleproof', 'What proves the rules', [
      'Known faults, switched on one by one in the reference service, against every rule: what a green cell would have caught.',
    ]),
    main:
      editions.length === 0
        ? markup`<p class="lead">No kill matrix was published here.</p>`
        : markup`<ul class="change-list">${editions.map((each) => markup`<li><a href="../${faultsPath(each)}">Edition ${each} of the rules</a></li>`)}</ul>`,
  });
  return ['faults/index.html', page];
}

function editionFile(edition: number, records: SiteRecords): SiteFile {
  const path = faultsPath(edition);
  const root = rootFrom(path);
  const shown = findProof(records, edition);
  const { title, header, main } = shown ? killMatrixParts(shown.matrix) : emptyParts;
  const page = sitePage({
    path,
    title: `Edition ${edition}: ${title}`,
    trail: [
      { name: 'Faults', path: 'faults/' },
      { name: `Edition ${edition}`, path },
    ],
    json: shown ? `${path}${shown.id}.json` : 'api/index.json',
    header,
    main: markup`${shown && gridPart(shown, records, root)}${main}${allPart(records, edition, root)}`,
  });
  return [`${path}index.html`, page];
}

const emptyParts = { title: 'Kill matrix · Candleproof', header: markup``, main: markup`` };

function gridPart({ matrix }: PublishedMatrix, { rules }: SiteRecords, root: string): Markup {
  const known = new Set(rules.map(({ id }) => id).filter(hasPage));
  const ruleHref = (rule: string): string | undefined =>
    known.has(rule) ? `${root}${rulePath(rule)}` : undefined;
  return markup`<section aria-labelledby="grid-title"><h2 id="grid-title">Fault × rule</h2>
<p class="lead">Filled: a must spoke of the fault. Half: a should. Hollow: an answer was noted. A shaded row is a fault that nothing found, a shaded column a rule that no fault makes speak.</p>
${faultGrid(matrix, ruleHref)}</section>`;
}

function allPart({ matrices }: SiteRecords, edition: number, root: string): Markup {
  const own = matrices.filter(({ matrix }) => matrix.versions.catalogue === edition);
  return markup`<section aria-labelledby="all-title"><h2 id="all-title">Every matrix of this edition</h2><ul class="change-list">${own.map(({ id, matrix }) => markup`<li><a href="${root}${faultsPath(edition)}${id}.json">${matrix.startedAt.slice(0, 10)}</a>, version ${matrix.versions.candleproof}${matrix.rules === undefined && ', some faults only'}</li>`)}</ul></section>`;
}
