import type { Outcome } from '../../contract/judge/verdict.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import { type RuleTally, tallyOf } from '../words/tally.ts';
import { outcomes } from '../words/wording.ts';
import { mark } from './marks.ts';

/** More would be a carpet. */
const mostMarks = 80;

/** A mark for each outcome as long as they can be distinguished, a bar for more. */
export function outcomeStrip(all: readonly Outcome[]): Markup {
  const shown: Part = all.length > mostMarks ? outcomeBar(tallyOf(all)) : all.map(mark);
  return markup`<span class="strip">${shown}</span>`;
}

/** Outcomes as lengths, worst first. */
export function outcomeBar({ total, by }: RuleTally): Markup {
  let x = 0;
  const parts = outcomes.map((each) => {
    const width = total > 0 ? (100 * by[each]) / total : 0;
    const part = markup`<rect class="${each}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="1"/>`;
    x += width;
    return part;
  });
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
