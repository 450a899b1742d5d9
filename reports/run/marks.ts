import type { Outcome, Verdict } from '@candleproof/law/judge/verdict';
import { type Markup, markup, type Part } from '../words/markup.ts';

const octagon =
  '31.3% 6.3%, 68.7% 6.3%, 93.7% 31.3%, 93.7% 68.7%, 68.7% 93.7%, 31.3% 93.7%, 6.3% 68.7%, 6.3% 31.3%, 31.3% 6.3%';
const innerOctagon =
  '35.4% 16.3%, 64.6% 16.3%, 83.7% 35.4%, 83.7% 64.6%, 64.6% 83.7%, 35.4% 83.7%, 16.3% 64.6%, 16.3% 35.4%, 35.4% 16.3%';
const cross =
  '26.4% 34.8%, 34.8% 26.4%, 50% 41.6%, 65.2% 26.4%, 73.6% 34.8%, 58.4% 50%, 73.6% 65.2%, 65.2% 73.6%, 50% 58.4%, 34.8% 73.6%, 26.4% 65.2%, 41.6% 50%, 26.4% 34.8%';
const square = '0 0, 100% 0, 100% 100%, 0 100%, 0 0';
const tick = '21.9% 53.3%, 43.2% 75.6%, 78.2% 36.8%, 69.3% 28.9%, 43% 58.1%, 30.4% 45.1%, 21.9% 53.3%';
const triangle = '50% 5%, 97.5% 93.8%, 2.5% 93.8%, 50% 5%';
const stroke = '44% 36%, 56% 36%, 56% 62%, 44% 62%, 44% 36%';
const dot = '44% 72%, 56% 72%, 56% 84%, 44% 84%, 44% 72%';
const halfDiamond =
  '50% 2.5%, 97.5% 50%, 50% 97.5%, 2.5% 50%, 50% 2.5%, 50% 18.8%, 18.8% 50%, 50% 81.2%, 50% 18.8%';

/**
 * A shape for each outcome, so that color is never the only difference. The style sheet clips single elements: ten
 * thousand drawings would cost a second.
 */
export const markStyles = `
.hatch-ground { fill: var(--warn-wash); } .hatch-line { fill: var(--warn); } i.hatched { background: repeating-linear-gradient(135deg, var(--warn) 0 2px, var(--warn-wash) 2px 4px); }
.mark { display: inline-block; width: 1em; height: 1em; vertical-align: -.12em; flex: none; color: var(--soft); background: currentColor; forced-color-adjust: none; }
.mark.passed { color: var(--pass); background: radial-gradient(circle closest-side, currentColor 89%, transparent 93%); clip-path: polygon(evenodd, ${square}, ${tick}); }
.mark.failed { color: var(--fail); clip-path: polygon(evenodd, ${octagon}, ${cross}); }
.mark.known { color: var(--fail); clip-path: polygon(evenodd, ${octagon}, ${innerOctagon}, ${cross}, 35.4% 16.3%); }
.mark.surprised { color: var(--warn); clip-path: polygon(evenodd, ${triangle}, ${stroke}, 50% 5%, ${dot}); }
.mark.inconclusive { color: var(--warn); clip-path: polygon(evenodd, ${halfDiamond}); }
.mark.unexercised { background: none; border: .1em dashed; border-radius: 50%; }
`;

/**
 * The hatching of what is doubtful, beside failed areas that a plain color would hardly differ from; of a bar that is stretched
 * to its column, upright.
 */
export const hatching = markup`<svg width="0" height="0" class="visually-hidden" aria-hidden="true"><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-ground" d="M0 0h4v4H0z"/><path class="hatch-line" d="M0 0h2.2v4H0z"/></pattern><pattern id="stripes" width="2" height="1" patternUnits="userSpaceOnUse"><path class="hatch-ground" d="M0 0h2v1H0z"/><path class="hatch-line" d="M0 0h1.1v1H0z"/></pattern></svg>`;

/** Renders the mark of an outcome; its word is beside it. */
export function mark(outcome: Outcome): Markup {
  return markup`<i class="mark ${outcome}"></i>`;
}

/** The outcome whose mark a verdict has. */
export const verdictOutcomes: Readonly<Record<Verdict, Outcome>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  inconclusive: 'inconclusive',
};

/**
 * Renders the first lines of a page: its verdict by mark and word, what is wrong, and the lines beneath. Only a tick
 * gives the verdict the color of a conformant one.
 */
export function banner(
  verdict: Verdict,
  word: Part,
  title: Part,
  lines: Part,
  outcome = verdictOutcomes[verdict],
): Markup {
  const color = verdict === 'conformant' && outcome !== 'passed' ? 'partial' : verdict;
  return markup`<div class="banner ${color}"><p class="pill">${mark(outcome)} <b class="verdict">${word}</b></p>
<h1>${title}</h1>
${lines}</div>`;
}

/** Renders facts in one line. */
export function factsLine(facts: readonly Part[]): Markup {
  return markup`<p class="facts-line">${facts.map((fact, index) => markup`${index > 0 && ' · '}${fact}`)}</p>`;
}
