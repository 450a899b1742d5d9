import type { Kill, KillMatrix, Witness } from '../../../results/kill-matrix.ts';
import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';

const step = 12;
const left = 190;
const top = 190;

/** Returns the address of a rule's explanation, if there is one. */
type HrefOf = (rule: string) => string | undefined;

/**
 * Faults down, rules and questions across: a mark where a rule spoke of a fault, filled at must, half at should, hollow
 * where it was only noted. Rows and columns without a mark are shaded: they are what to look at.
 */
export function faultGrid({ kills, rules = [] }: KillMatrix, hrefOf: HrefOf): Markup {
  const columns = listColumns(kills, rules);
  const at = new Map(columns.map(({ id }, index) => [id, index]));
  const [width, height] = [left + columns.length * step + 4, top + kills.length * step + 4];
  return markup`<div class="side" role="region" tabindex="0" aria-label="Faults against rules"><svg class="fault-grid" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-labelledby="grid-name grid-words"><title id="grid-name">Faults against rules</title><desc id="grid-words">${inWords(kills, columns)}</desc>
${kills.map((kill, row) => kill.foundBy.length === 0 && band(0, top + row * step, width, step))}${columns.map(({ id }, column) => isSilent(id, kills) && band(left + column * step, 0, step, height))}
<path class="lines" d="${kills.map((_, row) => `M${left} ${top + row * step}H${width}`).join('')}${columns.map((_, column) => `M${left + column * step} ${top}V${height}`).join('')}"/>
${columns.map(({ id }, column) => columnName(id, column, hrefOf(id)))}
${kills.map((kill, row) => markup`<text x="${left - 4}" y="${top + row * step + 9}" text-anchor="end"><a href="#${kill.number}">${clip(`${kill.number} ${kill.id}`, 38)}</a></text>${kill.foundBy.map((each) => dot(each, at.get(each.id) ?? 0, row))}`)}
</svg></div>`;
}

function listColumns(kills: readonly Kill[], rules: readonly Witness[]): { readonly id: string }[] {
  const named = [...rules, ...kills.flatMap(({ foundBy }) => foundBy)].map(({ id }) => id);
  return [...new Set(named)].sort().map((id) => ({ id }));
}

function isSilent(rule: string, kills: readonly Kill[]): boolean {
  return !kills.some(({ foundBy }) => foundBy.some(({ id }) => id === rule));
}

function inWords(kills: readonly Kill[], columns: readonly { readonly id: string }[]): string {
  const unfound = kills.filter(({ foundBy }) => foundBy.length === 0).length;
  const silent = columns.filter(({ id }) => isSilent(id, kills)).length;
  return `${plural(kills.length, 'fault')} by ${plural(columns.length, 'rule')}; ${plural(unfound, 'row')} and ${plural(silent, 'column')} without a mark. The list below says the same in words.`;
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
