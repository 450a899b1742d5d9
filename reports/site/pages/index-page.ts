import { mark } from '../../run/marks.ts';
import { clip, embedJson } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { slugify } from '../content-id.ts';
import type { RuleChange } from '../difference.ts';
import { monthPath } from '../month-record.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import { type Story, verdictNow } from '../story.ts';
import { mostCells, outcomeOfVerdict, runRow } from './cells.ts';
import { plainHead, sitePage } from './site-page.ts';
import { newsLine, nowLine, troubleLine } from './story-words.ts';

const longestName = 80;

/** The first page: a sentence and a row of runs for each target. */
export function indexFiles(records: SiteRecords): SiteFile[] {
  const { stories, now } = records;
  const page = sitePage({
    path: '',
    title: 'Conformance of all targets',
    trail: [],
    json: 'api/index.json',
    header: plainHead('Candleproof', 'How each target stands', [
      markup`${plural(stories.length, 'target')}, as of <time datetime="${now}">${now.slice(0, 10)}</time>. A mark is a run and leads to its page; the newest is last.`,
    ]),
    main: markup`${stories.map(targetPart)}${key}`,
  });
  return [
    ['index.html', page],
    ['api/index.json', embedJson(indexRecord(records))],
  ];
}

function targetPart(story: Story): Markup {
  const { target } = story;
  const verdict = verdictNow(story);
  const trouble = troubleLine(story, './');
  return markup`<section class="standing-row ${verdict}" aria-labelledby="t-${target.slug}"><h2 id="t-${target.slug}">${mark(outcomeOfVerdict[verdict])} <a href="./t/${target.slug}/">${clip(target.name, longestName)}</a></h2>
<p class="sentence">${nowLine(story, './')}.</p>
<p>${newsLine(story, './')}</p>${trouble && markup`<p class="trouble">${trouble}</p>`}
${runRow(target.runs.slice(-mostCells), target.slug, './')}</section>`;
}

const key = markup`<p class="legend">${mark('passed')} conformant ${mark('failed')} nonconformant ${mark('inconclusive')} inconclusive: not decided. A line before a mark: edition, spec, plan or version are others than in the run before.</p>`;

/** The same for programs. */
function indexRecord({ now, stories, matrices, loads, months }: SiteRecords): object {
  return {
    $schema: 'schema.json',
    kind: 'index',
    generatedAt: now,
    targets: stories.map(targetRecord),
    faults: matrices.map(({ id, matrix: { startedAt, versions } }) => ({
      ...{ id, startedAt, edition: versions.catalogue },
      json: `faults/${versions.catalogue}/${id}.json`,
    })),
    loads: loads.map(({ id, run: { verdict, trial } }) => ({
      ...{ id, verdict, target: trial.target.name, scenario: trial.scenario },
      json: `load/${id}/load.json`,
    })),
    months: months.map((each) => ({
      ...{ target: each.slug, month: each.month, location: each.location },
      json: `${monthPath(each)}${slugify(each.location)}.json`,
    })),
  };
}

function targetRecord(story: Story): object {
  const { target, since, news } = story;
  const { name, slug } = target;
  return {
    ...{ name, slug, json: `api/targets/${slug}.json` },
    verdict: verdictNow(story),
    ...(since && { since: since.startedAt }),
    ...(news && { news: newsRecord(news) }),
    runs: target.runs.slice(-mostCells).map(({ id, startedAt, verdict, findings }) => ({
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
