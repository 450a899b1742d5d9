import type { KillMatrix, Witness } from '@candleproof/reports/kill-matrix/facts';
import { killMatrixParts } from '@candleproof/reports/kill-matrix/kill-matrix';
import { plural } from '@candleproof/reports/words/counts';
import { clip } from '@candleproof/reports/words/escape';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { faultsPath, hasPage, rulePath } from '../paths.ts';
import { findProof, type PublishedMatrix, type SiteFile, type SiteRecords } from '../site-records.ts';
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
    above: [['Faults', 'faults/']],
    json: shown && `${path}${shown.id}.json`,
    header,
    main: markup`${shown && gridPart(shown, records, root)}${main}${allPart(records, catalogue, root)}`,
  });
}

const emptyParts = { title: 'Kill matrix · Candleproof', header: markup``, main: markup`` };

function gridPart({ matrix }: PublishedMatrix, { rules }: SiteRecords, root: string): Markup {
  const known = new Set(rules.map(({ id }) => id).filter(hasPage));
  const ruleHref = (rule: string): string | undefined =>
    known.has(rule) ? `${root}${rulePath(rule)}` : undefined;
  return markup`<section aria-labelledby="grid-title"><h2 id="grid-title">Fault × rule</h2>
<p class="lead">Filled: the fault triggers a must. Half: a should. Hollow: an answer was noted. A shaded row is a fault that nothing found, a shaded column a rule that no fault triggers.</p>
${faultGrid(matrix, ruleHref)}</section>`;
}

function allPart({ matrices }: SiteRecords, catalogue: string, root: string): Markup {
  const ofCatalogue = matrices.filter(({ matrix }) => matrix.versions.catalogue === catalogue);
  return markup`<section aria-labelledby="all-title"><h2 id="all-title">Every matrix of these rules</h2><ul class="change-list">${ofCatalogue.map(({ id, matrix }) => markup`<li><a href="${root}${faultsPath(catalogue)}${id}.json">${matrix.startedAt.slice(0, 10)}</a>, version ${matrix.versions.candleproof}${matrix.rules === undefined && ', some faults only'}</li>`)}</ul></section>`;
}

const step = 12;
const left = 190;
const top = 190;

/**
 * Renders faults as rows, rules and questions as columns: a mark if a fault triggers a rule, filled at must, half at
 * should, hollow if only noted. Rows and columns without a mark are shaded, since they need attention.
 */
function faultGrid({ kills, rules = [] }: KillMatrix, hrefOf: (rule: string) => string | undefined): Markup {
  const found = new Set(kills.flatMap(({ foundBy }) => foundBy.map(({ id }) => id)));
  const columns = [...new Set([...rules.map(({ id }) => id), ...found])].sort();
  const at = new Map(columns.map((id, index) => [id, index]));
  const unfound = kills.filter(({ foundBy }) => foundBy.length === 0).length;
  const words = `${plural(kills.length, 'fault')} by ${plural(columns.length, 'rule')}; ${plural(unfound, 'row')} and ${plural(columns.length - found.size, 'column')} without a mark. The list below says the same in words.`;
  const [width, height] = [left + columns.length * step + 4, top + kills.length * step + 4];
  return markup`<div class="side" role="region" tabindex="0" aria-label="Faults against rules"><svg class="fault-grid" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-labelledby="grid-name grid-words"><title id="grid-name">Faults against rules</title><desc id="grid-words">${words}</desc>
${kills.map((kill, row) => kill.foundBy.length === 0 && band(0, top + row * step, width, step))}${columns.map((id, column) => !found.has(id) && band(left + column * step, 0, step, height))}
<path class="lines" d="${kills.map((_, row) => `M${left} ${top + row * step}H${width}`).join('')}${columns.map((_, column) => `M${left + column * step} ${top}V${height}`).join('')}"/>
${columns.map((id, column) => columnName(id, column, hrefOf(id)))}
${kills.map((kill, row) => markup`<text x="${left - 4}" y="${top + row * step + 9}" text-anchor="end"><a href="#${kill.number}">${clip(`${kill.number} ${kill.id}`, 38)}</a></text>${kill.foundBy.map((witness) => dot(witness, at.get(witness.id) ?? 0, row))}`)}
</svg></div>`;
}

function band(x: number, y: number, width: number, height: number): Markup {
  return markup`<rect class="none" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

function columnName(id: string, column: number, href: string | undefined): Markup {
  const [x, y] = [left + column * step + 9, top - 4];
  const name = clip(id, 38);
  return markup`<text transform="translate(${x} ${y}) rotate(-90)">${href === undefined ? name : markup`<a href="${href}">${name}</a>`}</text>`;
}

function dot({ level }: Witness, column: number, row: number): Markup {
  const [x, y] = [left + column * step + step / 2, top + row * step + step / 2];
  return markup`<circle class="dot${level === 'must' && ' must'}" cx="${x}" cy="${y}" r="3.6"/>${level === 'should' && markup`<path class="half" d="M${x} ${y - 3.6}a3.6 3.6 0 0 1 0 7.2z"/>`}`;
}
