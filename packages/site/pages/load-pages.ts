import { loadPageParts } from '@candleproof/load/page/load-page';
import { mark, verdictOutcomes } from '@candleproof/reports/run/marks';
import { clip } from '@candleproof/reports/words/escape';
import { markup } from '@candleproof/reports/words/markup';
import { verdictWords } from '@candleproof/reports/words/wording';
import type { PublishedLoad, SiteFile, SiteRecords } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Returns the path of a load run's page, such as `load/0123456789abcdef/`. */
export function loadPath(id: string): string {
  return `load/${id}/`;
}

/** Returns the start of a load run, in ISO 8601: that of its earliest segment. */
export function loadStart({ run: { parts: segments } }: PublishedLoad): string {
  return segments.map(({ startedAt }) => startedAt).sort()[0] ?? '';
}

/** Renders the page of a load run, beside its load.json. */
export function loadFile(published: PublishedLoad): SiteFile {
  const { id, run } = published;
  const path = loadPath(id);
  return sitePage({
    path,
    crumb: loadStart(published).slice(0, 10),
    parents: [['Load', 'load/']],
    json: `${path}load.json`,
    sheets: ['load'],
    ...loadPageParts(run),
  });
}

/** Returns the page that lists all load runs. */
export function loadListFile({ loads }: SiteRecords): SiteFile {
  return sitePage({
    path: 'load/',
    title: 'Load runs',
    crumb: 'Load',
    header: plainHead('Candleproof', 'Load runs', [
      'Load that each target sustained, newest first. Runs on different machines or with different mixes cannot be compared.',
    ]),
    main:
      loads.length === 0
        ? markup`<p class="lead">No load run is published here yet. <code>npx candleproof load</code> makes one, and <code>publish</code> adds it.</p>`
        : markup`<ul class="change-list">${loads.map((load) => {
            const { verdict, trial } = load.run;
            return markup`<li>${mark(verdictOutcomes[verdict])} <a href="${load.id}/">${loadStart(load).slice(0, 10)} ${clip(trial.scenario, 40)}</a> at ${clip(trial.target.name, 80)}: ${verdictWords[verdict]}</li>`;
          })}</ul>`,
  });
}
