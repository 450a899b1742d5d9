import type { Outcome } from '@candleproof/law/judge/verdict';
import { banner, mark } from '@candleproof/reports/run/marks';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { formatShare, verdictOutcome } from '@candleproof/reports/words/tally';
import { isBroken } from '../difference.ts';
import { runPath } from '../paths.ts';
import { compareTexts, type ListedRule, type RunRecord } from '../records.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import { type Story, verdictNow } from '../story.ts';
import { monthsOfTarget } from './month-page.ts';
import {
  breakInWords,
  dayStrip,
  gridFrame,
  namedLine,
  runGrid,
  runRow,
  unlikeBefore,
} from './runs-over-time.ts';
import { rootFrom, ruleHead, ruleLink, sitePage } from './site-page.ts';
import { newsLine, nowInWords, nowLine, troubleLine } from './story-words.ts';

const longestName = 80;

/** Returns the page of a target: its verdict, its rules over the last runs, its runs by month; and the same as JSON. */
export function targetFiles(story: Story, records: SiteRecords): SiteFile[] {
  const { target } = story;
  const path = `t/${target.slug}/`;
  const root = rootFrom(path);
  const json = `api/targets/${target.slug}.json`;
  const page = sitePage({
    path,
    title: `${nowInWords(story)}: ${target.name}`,
    crumb: target.name,
    json,
    data: { target: target.slug },
    header: head(story, root),
    main: markup`${rulesPart(story, records.now, root)}${timePart(story, root)}${namedPart(story, root)}${monthsOfTarget(target.slug, records.months, root)}${badgesPart(target.slug, root)}`,
  });
  return [page, [json, embedJson({ $schema: '../schema.json', kind: 'target', ...target })]];
}

function head(story: Story, root: string): Markup {
  const { judged, latest, target } = story;
  const shown = judged ?? latest;
  const trouble = troubleLine(story, root);
  const lines = markup`<p class="remark">${newsLine(story, root)}</p>${trouble && markup`<p class="remark">${trouble}</p>`}
<p class="target">Musts: ${formatShare(shown.musts)}; rules ${shown.versions.catalogue}</p>`;
  return markup`<header class="page-head">${banner(verdictNow(story), clip(target.name, longestName), nowLine(story, root), lines, verdictOutcome(verdictNow(story), shown.musts))}</header>`;
}

/**
 * Renders rules on the common axis of days. Rules that never failed are only named, since they would hide the others.
 */
function rulesPart(story: Story, now: string, root: string): Markup {
  const frame = gridFrame(story, root, now);
  const { runs, days } = frame;
  const { moving, steady, open } = sortOutcomes(story, runs);
  const rows = moving.map((rule) => ({
    ...{ rule: rule.id, story },
    head: markup`${ruleHead(rule, root)}${dayStrip(days, ({ id }) => story.outcomes.get(id)?.get(rule.id)?.outcome, `Days of ${rule.id}`)}`,
  }));
  const title = runs.length === 1 ? 'Rules of the only run' : `Rules over the last ${runs.length} runs`;
  return markup`<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">${title}</h2>
${rows.length > 0 ? markup`<p class="lead">Those that did not always hold, the musts first: the days up to now, those without a run dashed, and each run. A mark leads to the finding, or to the rule in that run.</p>${runGrid(title, frame, rows)}` : markup`<p class="lead">No rule failed in any of them.</p>`}
${nameRules(`${plural(steady.length, 'rule')} held in every one of these runs that judged ${steady.length === 1 ? 'it' : 'them'}`, steady, root)}${nameRules(`${plural(open.length, 'rule')} ${open.length === 1 ? 'was' : 'were'} judged in none of them`, open, root)}</section>`;
}

function nameRules(summary: string, rules: readonly ListedRule[], root: string): Markup | undefined {
  if (rules.length === 0) return undefined;
  return markup`<details><summary>${summary}</summary><ul class="lists">${rules.map(({ id }) => markup`<li>${ruleLink(id, root)}</li>`)}</ul></details>`;
}

/** Groups every rule of the runs by its outcomes: musts before shoulds, the latest failures first. */
function sortOutcomes({ outcomes }: Story, runs: readonly RunRecord[]) {
  const all = new Map<string, ListedRule & { readonly seen: Outcome[]; lastBroken: number }>();
  for (const [at, run] of runs.entries())
    for (const { id, level, outcome } of outcomes.get(run.id)?.values() ?? []) {
      if (run.verdict === 'inconclusive' && !isBroken(outcome)) continue;
      const rule = all.get(id) ?? { id, level, seen: [], lastBroken: -1 };
      all.set(id, rule);
      rule.seen.push(outcome);
      if (isBroken(outcome)) rule.lastBroken = at;
    }
  const order = [...all.values()].sort(
    (a, b) =>
      Number(a.level !== 'must') - Number(b.level !== 'must') ||
      b.lastBroken - a.lastBroken ||
      compareTexts(a.id, b.id),
  );
  const isSteady = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'unexercised';
  const isOpen = (outcome: Outcome): boolean => outcome === 'unexercised';
  return {
    moving: order.filter(({ seen }) => !seen.every(isSteady)),
    steady: order.filter(({ seen }) => seen.every(isSteady) && !seen.every(isOpen)),
    open: order.filter(({ seen }) => seen.every(isOpen)),
  };
}

/** Renders every run by its month, newest month first, and every change of conditions. */
function timePart({ target: { runs, slug } }: Story, root: string): Markup {
  const months = [...Map.groupBy(runs, ({ startedAt }) => startedAt.slice(0, 7))].toReversed();
  const breaks = runs.flatMap((run, at) => {
    const unlike = unlikeBefore(runs, at);
    return unlike.length > 0
      ? [
          markup`<li>from the <a href="${root}${runPath(slug, run.id)}">run of ${run.startedAt.slice(0, 10)}</a> on, ${breakInWords(unlike)}</li>`,
        ]
      : [];
  });
  return markup`<section id="time" aria-labelledby="time-title"><h2 id="time-title">All ${plural(runs.length, 'run')}</h2>
<table class="months"><caption class="visually-hidden">Runs by month</caption><thead><tr><th scope="col">Month (UTC)</th><th scope="col">Runs, the oldest first</th></tr></thead>
<tbody>${months.map(([month, all]) => markup`<tr><th scope="row">${month}</th><td class="wide">${runRow(all, slug, root)}</td></tr>`)}</tbody></table>
${breaks.length > 0 && markup`<p class="lead">Runs before and after a line were not made alike:</p><ul class="change-list">${breaks.slice(-20)}</ul>`}</section>`;
}

/** Renders the runs that were given a label or a commit, the newest first; the script adds a search over them. */
function namedPart({ target: { runs, slug } }: Story, root: string): Markup | undefined {
  const labeled = runs
    .filter(({ label, commit }) => label !== undefined || commit !== undefined)
    .toReversed();
  if (labeled.length === 0) return undefined;
  return markup`<section id="named" aria-labelledby="named-title"><h2 id="named-title">Runs by label and commit</h2><ul class="change-list">${labeled.map(
    (run) =>
      markup`<li>${mark(verdictOutcome(run.verdict, run.musts))} <a href="${root}${runPath(slug, run.id)}">${run.startedAt.slice(0, 16).replace('T', ' ')}</a> ${namedLine(run)}</li>`,
  )}</ul></section>`;
}

function badgesPart(slug: string, root: string): Markup {
  return markup`<section id="badges" class="badges" aria-labelledby="badges-title"><h2 id="badges-title">Badge</h2><p><img src="${root}badges/${slug}.svg" alt="Conformance badge of this target"> <a href="${root}badges/${slug}.svg">SVG</a>, <a href="${root}badges/${slug}.json">JSON for shields.io</a></p></section>`;
}
