import { hatching } from '@candleproof/reports/run/marks';
import { favicon, logo, pageStart, skipLink } from '@candleproof/reports/run/page';
import { clip } from '@candleproof/reports/words/escape';
import { keepFirstIds, type Markup, markup, type Part } from '@candleproof/reports/words/markup';
import { rulePath, runPath, siteName } from '../paths.ts';
import type { ListedRule } from '../records.ts';
import type { SiteFile } from '../site-records.ts';
import type { Side } from './difference-part.ts';

/** Allows only styles, scripts and JSON of the site's folder. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
];

type Crumb = readonly [name: string, path: string];

type SitePage = {
  /** Relative to the site's root, with a trailing slash; empty for the root itself. */
  readonly path: string;
  readonly title: string;
  /** The name of this page in its trail; by default its title. */
  readonly crumb?: string;
  /** The pages above this one in its trail, from the top down, without the root. */
  readonly parents?: readonly Crumb[];
  /** A sentence for search engines, and for a chat that shows a link to the page; by default its title. */
  readonly description?: string;
  /** The address of a picture for such a chat. */
  readonly picture?: string | undefined;
  readonly header: Markup;
  readonly main: Markup;
  /** The path of the same content as JSON, relative to the site's root; by default that of the first page. */
  readonly json?: string;
  /** Further style sheets of the assets folder. */
  readonly sheets?: readonly string[];
  /** Data attributes of the body, for the script. */
  readonly data?: Readonly<Record<string, string>>;
};

/** Returns the relative path from a page to the site's root, so that the site works in any folder of any host. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

const longestTitle = 200;
const longestCrumb = 60;

/** Renders a page of the site as its file. */
export function sitePage(page: SitePage): SiteFile {
  const { path, title, header, main, json = 'api/index.json', sheets = [], data = {} } = page;
  const { crumb = title, parents = [], description = title, picture } = page;
  const root = rootFrom(path);
  const trail: readonly Crumb[] = path === '' ? [] : [...parents, [crumb, path]];
  const name = clip(title.replace(/ · Candleproof$/, ''), longestTitle);
  const whole = markup`${pageStart(policy, `${name} · Candleproof`, { description, picture })}
<link rel="icon" href="${favicon}">
${['site', ...sheets].map((sheet) => markup`<link rel="stylesheet" href="${root}assets/${sheet}.css">\n`)}<link rel="alternate" type="application/json" href="${root}${json}">
<link rel="alternate" type="application/atom+xml" href="${root}feed.xml" title="Changed verdicts">
<script defer src="${root}assets/site.js"></script>
</head>
<body${Object.entries(data).map(([name, value]) => markup` data-${name}="${value}"`)}>
${skipLink}
${hatching}<nav class="trail" aria-label="Where you are"><a class="home" href="${root}">${logo}All targets</a>${trail.map(([name, to]) => markup` <span>/</span> <a href="${root}${to}">${clip(name, longestCrumb)}</a>`)}</nav>
${header}
<main id="main">
${main}
</main>
<footer><a href="${root}rules/">Rules</a> <a href="${root}faults/">Faults</a> <a href="${root}monitor/">Monitors</a> <a href="${root}load/">Load</a> <a href="${root}compare/">Compare</a> <a href="${root}gallery/">Gallery</a> <a href="${root}method/">Method</a> <a href="${root}feed.xml">Feed</a> <a href="${root}${json}">This page as JSON</a></footer>
</body>
</html>
`;
  return [`${path}index.html`, keepFirstIds(whole).source];
}

/** Returns the parents of a page that belongs to a run: the pages of its target and of the run. */
export function parentsOfRun({ run, slug, id }: Side): Crumb[] {
  return [
    [siteName(run.target), `t/${slug}/`],
    [run.startedAt.slice(0, 10), runPath(slug, id)],
  ];
}

/** Renders a rule's level and its id. */
export function ruleHead({ id, level }: ListedRule, root: string): Markup {
  return markup`${level === 'must' ? markup`<b>must</b>` : level} ${ruleLink(id, root)}`;
}

/** Renders a rule's id, which links to it in the list of all. */
export function ruleLink(id: string, root: string): Markup {
  return markup`<a href="${root}${rulePath(id)}">${clip(id, 120)}</a>`;
}

/** Renders an instant as `2026-11-20`; the script adds its age. */
export function renderDate(iso: string): Markup {
  return markup`<time datetime="${iso}" data-age>${iso.slice(0, 10)}</time>`;
}

/** Renders the head of a page without a verdict. */
export function plainHead(brand: string, title: string, lines: readonly Part[]): Markup {
  return markup`<header class="page-head plain"><p class="brand">${brand}</p><h1>${clip(title, longestTitle)}</h1>
${lines.map((line) => line !== undefined && line !== false && markup`<p class="sentence">${line}</p>`)}</header>`;
}
