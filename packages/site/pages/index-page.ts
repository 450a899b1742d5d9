import type { Level } from '@candleproof/law/rules/facts';
import { atomFeed, type FeedEntry } from '@candleproof/reports/formats/atom';
import { mark } from '@candleproof/reports/run/marks';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { markup } from '@candleproof/reports/words/markup';
import { formatShare } from '@candleproof/reports/words/tally';
import type { RuleChange } from '../difference.ts';
import { monthPath } from '../month.ts';
import { coverPath, runPath } from '../paths.ts';
import { compareTexts, type RunRecord, slugify } from '../records.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import { findChange, type Story, verdictNow } from '../story.ts';
import { listRules, type MatrixColumn, type MatrixFilter, matrix } from './matrix.ts';
import { maxCells } from './runs-over-time.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';
import type { ReadSide } from './text-pages.ts';

/** The filters of the matrix: each with the path of its page, its name, and the text for an empty result. */
const filters: readonly (readonly [MatrixFilter, path: string, name: string, none: string])[] = [
  ['failing', '', 'failing somewhere', 'No rule fails at any target.'],
  ['changed', 'changed/', 'changed in 7 days', 'No rule changed within the last seven days.'],
  ['all', 'all/', 'all', 'No run has judged a rule yet.'],
];

/** Returns the first page for each of its filters, with a sentence and the matrix of rules and targets, and as JSON. */
export function indexFiles(records: SiteRecords, read: ReadSide): SiteFile[] {
  const columns = records.stories
    .toSorted((a, b) => verdictRank(a) - verdictRank(b))
    .map((story) => ({
      story,
      ...(story.judged && { side: read(story.target.slug, story.judged.id) }),
    }));
  return [
    ...filters.map((filter) => filteredPage(filter, columns, records)),
    ['feed.xml', verdictFeed(records)],
    ['api/index.json', embedJson(indexRecord(records))],
  ];
}

function verdictRank(story: Story): number {
  return ['nonconformant', 'inconclusive', 'conformant'].indexOf(verdictNow(story));
}

function filteredPage(
  [filter, path, name, none]: (typeof filters)[number],
  columns: readonly MatrixColumn[],
  records: SiteRecords,
): SiteFile {
  const { stories, now, rules, address } = records;
  const root = rootFrom(path);
  const shown = listRules(records, filter);
  const count = (level: Level): string => plural(rules.filter((rule) => rule.level === level).length, level);
  return sitePage({
    path,
    title: filter === 'failing' ? matrixTitle(stories) : `Rules ${name}`,
    crumb: name,
    description: `${matrixTitle(stories)}. ${firstWords}`,
    picture: address && new URL(coverPath, address).href,
    header: plainHead('Candleproof', matrixTitle(stories), [
      path === '' && firstWords,
      markup`As of <time datetime="${now}">${now.slice(0, 16).replace('T', ' ')} UTC</time>; ${count('must')}, ${count('should')}.`,
    ]),
    main: markup`<nav class="filters" aria-label="Rules shown">Rules: ${filters.map(([key, to, words]) => markup`<a href="${root}${to}"${key === filter && markup` aria-current="page"`}>${words}</a> `)}</nav>
${matrix(columns, shown, records, root)}${shown.length === 0 && markup`<p class="lead">${none}</p>`}${key}`,
  });
}

/** For a reader who has never seen the site. */
const firstWords =
  'Each target is an API of market data, tested against its document: tokens, candles, history, keys and limits. A must is what the document states; where one fails, charts, backtests and prices that are made of the data are wrong. A should is good practice, and its failure changes no verdict.';

/** `3 of 4 targets break a must`. */
function matrixTitle(stories: readonly Story[]): string {
  const broken = stories.filter((story) => verdictNow(story) === 'nonconformant');
  const open = stories.filter((story) => verdictNow(story) === 'inconclusive');
  if (stories.length === 0) return 'No run was published yet';
  if (broken.length === 0) return [wholeTitle(stories), ...partsOpen(stories, open.length)].join('; ');
  const [only] = broken;
  if (stories.length === 1) return `${clip(only?.target.name ?? '', 60)} breaks a must`;
  return `${broken.length} of ${plural(stories.length, 'target')} ${broken.length === 1 ? 'breaks' : 'break'} a must`;
}

const key = markup`<p class="legend">${mark('passed')} conformant, or a rule that holds with the number of answers that it judged. ${mark('failed')} nonconformant, or a rule that fails with how much of what it judged is broken. ${mark('inconclusive')} not decided. Days: full bars failed, low ones were not decided, dashed ones had no run.</p>`;

function indexRecord({ now, stories, matrices, loads, months }: SiteRecords): object {
  return {
    $schema: 'schema.json',
    kind: 'index',
    generatedAt: now,
    targets: stories.map(targetRecord),
    faults: matrices.map(({ id, matrix: { startedAt, versions } }) => ({
      ...{ id, startedAt, catalogue: versions.catalogue },
      json: `faults/${versions.catalogue}/${id}.json`,
    })),
    loads: loads.map(({ id, run: { verdict, trial } }) => ({
      ...{ id, verdict, target: trial.target.name, scenario: trial.scenario },
      json: `load/${id}/load.json`,
    })),
    months: months.map((month) => ({
      ...{ target: month.slug, month: month.month, location: month.location },
      json: `${monthPath(month)}${slugify(month.location)}.json`,
    })),
  };
}

function targetRecord(story: Story): object {
  const { target, since, news } = story;
  const { name, slug } = target;
  return {
    ...{ name, slug, json: `api/targets/${slug}.json` },
    verdict: verdictNow(story),
    musts: (story.judged ?? story.latest).musts,
    since: since?.startedAt,
    news: news && newsRecord(news),
    runs: target.runs.slice(-maxCells).map(({ id, startedAt, verdict, findings }) => ({
      ...{ id, startedAt, verdict, findings: findings.length },
      json: `t/${slug}/runs/${id}/run.json`,
    })),
  };
}

function newsRecord({ run, difference }: NonNullable<Story['news']>): object {
  const ids = (changes: readonly RuleChange[]): string[] => changes.map(({ id }) => id);
  const { failing, mended } = difference;
  return { run: run.id, startedAt: run.startedAt, failing: ids(failing), mended: ids(mended) };
}

/** Words that no target breaks a must anew: a failing that a baseline knows is still one. */
function wholeTitle(stories: readonly Story[]): string {
  const known = stories.filter(({ judged }) => judged && judged.musts.known > 0).length;
  if (known === 0) return 'No target breaks a must';
  return `${known} of ${plural(stories.length, 'target')} ${known === 1 ? 'breaks' : 'break'} a must that the baseline knows`;
}

function partsOpen(stories: readonly Story[], open: number): string[] {
  const partial = stories.filter(({ judged }) => judged && judged.musts.leftOut > 0).length;
  return [
    ...(partial > 0 ? [`${partial} of ${stories.length} judged in part by choice`] : []),
    ...(open > 0 ? [`${open} of ${stories.length} could not be judged`] : []),
  ];
}

const mostEntries = 50;
const mostRules = 10;
type Changed = { readonly story: Story; readonly run: RunRecord; readonly before: RunRecord };
/** Renders the feed of changed verdicts and new failures, newest first; its links are relative to the site's root. */
function verdictFeed({ stories, now }: SiteRecords): string {
  const all = stories
    .flatMap(listChanges)
    .toSorted((a, b) => compareTexts(b.run.startedAt, a.run.startedAt) || compareTexts(a.run.id, b.run.id));
  return atomFeed({
    ...{ title: 'Candleproof: changed verdicts', id: 'urn:candleproof:verdicts', now },
    entries: all.slice(0, mostEntries).map(entry),
  });
}

function listChanges(story: Story): Changed[] {
  const runs = new Map(story.target.runs.map((run) => [run.id, run]));
  return story.target.runs.flatMap((run) => {
    const before = runs.get(run.before ?? '');
    if (!before || run.verdict === 'inconclusive') return [];
    const { failing = [] } = findChange(run, story.outcomes) ?? {};
    return before.verdict !== run.verdict || failing.length > 0 ? [{ story, run, before }] : [];
  });
}

function entry({ story: { target, outcomes }, run, before }: Changed): FeedEntry {
  const { failing = [], mended = [] } = findChange(run, outcomes) ?? {};
  const listed = (words: string, changes: typeof failing): string =>
    changes.length === 0
      ? ''
      : `; ${changes.length} ${words}: ${changes
          .slice(0, mostRules)
          .map(({ id }) => clip(id, 120))
          .join(', ')}`;
  const change =
    before.verdict === run.verdict ? `${failing.length} newly failing` : `before ${before.verdict}`;
  const cause = run.cause === undefined ? '' : `: ${run.cause}`;
  return {
    title: `${clip(target.name, 80)}: ${run.verdict}, ${formatShare(run.musts)}, ${change}${cause}`,
    id: `urn:candleproof:run:${target.slug}:${run.id}`,
    updated: run.startedAt,
    link: runPath(target.slug, run.id),
    summary: `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC${listed('newly failing', failing)}${listed('fixed', mended)}`,
  };
}
