import type { Kill, KillMatrix, Limit } from '../../results/kill-matrix.ts';
import { type Markup, markup } from '../words/markup.ts';

/** What a fault takes to be seen: `one check`, `one check, seed 9`, `moved clock`. */
export function conditionInWords({ scene, seed }: Pick<Kill, 'scene' | 'seed'>): string {
  return seed === undefined ? scene : `${scene}, seed ${seed}`;
}

type Limited = Kill & { readonly limit: Limit };

/** The mildest size of each fault that is still found, beside what finds it: how fine each rule is. */
export function limitsPart({ kills }: KillMatrix): Markup | undefined {
  const limited = kills.filter((each): each is Limited => each.limit !== undefined);
  if (limited.length === 0) return undefined;
  return markup`<section aria-labelledby="limits-title"><h2 id="limits-title">Limits of detection</h2>
<p class="lead">The mildest of the sizes that were tried at which what the fault breaks still tells: the limit of that rule.</p>
<table><caption class="unseen">Faults that have sizes</caption><thead><tr><th scope="col">Fault</th><th scope="col">Found from</th><th scope="col">By</th></tr></thead>
<tbody>${limited.map(row)}</tbody></table></section>`;
}

function row({ number, id, title, limit: { smallest, usual, unit, foundBy } }: Limited): Markup {
  const [strictest] = foundBy;
  return markup`<tr><td class="wide">${title}<code class="id">${number} ${id}</code></td>
<td class="wide">${smallest === null ? 'no size that was tried' : `${smallest} ${unit}`}<p class="reason">usually ${usual}</p></td>
<td class="wide">${strictest && markup`<code>${strictest.id}</code> <span class="reason">${strictest.level}</span>`}</td></tr>`;
}
