import { mark } from '../../run/marks.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { levelMeanings, outcomeMeanings, outcomes, verdictMeanings } from '../../words/wording.ts';
import type { SiteFile } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Returns the page that explains the site's words, and the limits of its figures. */
export function methodFile(): SiteFile {
  return sitePage({
    path: 'method/',
    title: 'Method',
    trail: [['Method', 'method/']],
    json: 'api/schema.json',
    header: plainHead('Candleproof', 'Method', ['What is measured, what is not, and what the words mean.']),
    main: markup`<section aria-labelledby="reading"><h2 id="reading">How to read this site</h2><ul class="change-list">${reading.map((item) => markup`<li>${item}</li>`)}</ul></section>
<section aria-labelledby="words"><h2 id="words">Words</h2><h3>Verdicts</h3>${meanings(verdictMeanings)}<h3>Levels</h3>${meanings(levelMeanings)}
<h3>Outcomes</h3><dl class="meanings">${outcomes.map((outcome) => markup`<div><dt>${mark(outcome)} ${outcome}</dt><dd>${outcomeMeanings[outcome]}</dd></div>`)}</dl></section>`,
  });
}

const reading = [
  'A run is judged by the document, and by nothing that another target does. Targets are not ranked: they are listed one by one.',
  'A run that came to no verdict decides nothing: as the newest one it takes the green from a target, no red, and what it left unjudged is neither broken nor mended.',
  'Mended means: failed in one run, and judged and found right in a later one. What was not judged again is not mended.',
  'A run is compared with the last one before it that came to a verdict. Where edition, spec, plan or version differ, a line stands before it, and the difference may be due to that.',
  'A run’s page and its address never change: the address is made of the content. Times are UTC.',
  'Exchanges that findings refer to are kept as they were received, with keys replaced by markers before they were ever written.',
  'Every page names its JSON at its foot; api/schema.json describes it.',
];

function meanings(words: Readonly<Record<string, string>>): Markup {
  return markup`<dl class="meanings">${Object.entries(words).map(([word, meaning]) => markup`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>`;
}
