import { killMatrixParts } from '@candleproof/reports/kill-matrix/kill-matrix';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { faultsPath } from '../paths.ts';
import { findProof, type SiteFile, type SiteRecords } from '../site-records.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';

/** Returns the proof of each catalogue, and their list, the newest first. */
export function faultsFiles(records: SiteRecords): SiteFile[] {
  const catalogues = [...new Set(records.matrices.map(({ matrix }) => matrix.versions.catalogue))];
  return [listFile(catalogues), ...catalogues.map((catalogue) => catalogueFile(catalogue, records))];
}

function listFile(catalogues: readonly string[]): SiteFile {
  return sitePage({
    path: 'faults/',
    title: 'Faults · Candleproof',
    crumb: 'Faults',
    header: plainHead('Candleproof', 'What proves the rules', [
      'Known faults, switched on one by one in the reference service, against every rule: what a green cell would have caught.',
    ]),
    main:
      catalogues.length === 0
        ? markup`<p class="lead">No kill matrix was published here. <code>npx candleproof serve faults</code> makes one, and <code>publish</code> adds it.</p>`
        : markup`<ul class="change-list">${catalogues.map((catalogue) => markup`<li><a href="../${faultsPath(catalogue)}">Rules ${catalogue}</a></li>`)}</ul>`,
  });
}

function catalogueFile(catalogue: string, records: SiteRecords): SiteFile {
  const path = faultsPath(catalogue);
  const root = rootFrom(path);
  const shown = findProof(records, catalogue);
  const { title, header, main } = shown ? killMatrixParts(shown.matrix) : emptyParts;
  return sitePage({
    path,
    title: `Rules ${catalogue}: ${title}`,
    crumb: `Rules ${catalogue}`,
    parents: [['Faults', 'faults/']],
    json: shown && `${path}${shown.id}.json`,
    header,
    main: markup`${main}${allPart(records, catalogue, root)}`,
  });
}

const emptyParts = { title: 'Kill matrix · Candleproof', header: markup``, main: markup`` };

function allPart({ matrices }: SiteRecords, catalogue: string, root: string): Markup {
  const ofCatalogue = matrices.filter(({ matrix }) => matrix.versions.catalogue === catalogue);
  return markup`<section aria-labelledby="all-title"><h2 id="all-title">Every matrix of these rules</h2><ul class="change-list">${ofCatalogue.map(({ id, matrix }) => markup`<li><a href="${root}${faultsPath(catalogue)}${id}.json">${matrix.startedAt.slice(0, 10)}</a>, version ${matrix.versions.candleproof}${matrix.rules === undefined && ', some faults only'}</li>`)}</ul></section>`;
}
