import type { Outcome } from '../../contract/verdict.ts';
import { type Markup, markup } from '../markup.ts';

const octagon = 'M5 1h6l4 4v6l-4 4H5l-4-4V5z';
const cross = 'm5.2 5.2 5.6 5.6m0-5.6-5.6 5.6';

/** A shape for each outcome, so that none is told by colour alone; drawn, since not every font has the signs. */
const shapes: Readonly<Record<Outcome, Markup>> = {
  passed: markup`<circle class="solid" cx="8" cy="8" r="7"/><path class="cut" d="m4.6 8.3 2.3 2.4 4.5-5"/>`,
  failed: markup`<path class="solid" d="${octagon}"/><path class="cut" d="${cross}"/>`,
  known: markup`<path class="line" d="${octagon}"/><path class="line" d="${cross}"/>`,
  surprised: markup`<path class="solid" d="M8 .8 15.6 15H.4z"/><path class="cut" d="M8 5.8v3.6m0 2.9v.1"/>`,
  inconclusive: markup`<path class="solid" d="m8 .4 7.6 7.6L8 15.6.4 8z"/><path class="cut" d="M6.1 6a1.9 1.9 0 1 1 2.6 1.9q-.7.3-.7 1.2m0 3v.1"/>`,
  unexercised: markup`<circle class="line dashed" cx="8" cy="8" r="6.2"/>`,
};

/** The shapes, once for the whole page. */
export const symbols = markup`<svg class="symbols" aria-hidden="true">${Object.entries(shapes).map(
  ([name, shape]) => markup`<symbol id="mark-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
)}</svg>`;

/** The mark of an outcome; its word stands beside it. */
export function mark(outcome: Outcome): Markup {
  return markup`<svg class="mark ${outcome}" viewBox="0 0 16 16" aria-hidden="true"><use href="#mark-${outcome}"/></svg>`;
}
