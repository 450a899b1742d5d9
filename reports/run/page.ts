import { createHash } from 'node:crypto';
import { thousands } from '@candleproof/law/reading/words';
import { clip, embedJson } from '../words/escape.ts';
import { keepFirstIds, Markup, markup, type Part } from '../words/markup.ts';
import { hatching } from './marks.ts';
import { styles } from './styles.ts';
import { palette } from './tokens.ts';

const flame = 'M12 .4c1.7 1.6 2.3 2.7 2.3 3.8a2.3 2.3 0 0 1-4.6 0C9.7 3.1 10.3 2 12 .4z';
const stem = 'M12 6v2.4M12 20.4v3.2';
const tick = 'M8.4 14.3l2.6 2.6 4.8-5.2';
const wax =
  'M6.8 8h10.4a2.2 2.2 0 0 1 2.2 2.2v8.4a2.2 2.2 0 0 1-2.2 2.2H6.8a2.2 2.2 0 0 1-2.2-2.2v-8.4A2.2 2.2 0 0 1 6.8 8z';

/** A candle with a tick, in the colors of its page. */
export const logo = markup`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path class="flame" d="${flame}"/><path class="stem" d="${stem}"/><path d="${wax}"/><path class="tick" d="${tick}"/></svg>`;

const { flame: orange, ink, sheet } = palette;
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${orange[0]}" d="${flame}"/><path stroke="${ink[0]}" stroke-width="1.8" d="${stem}"/><path fill="${ink[0]}" d="${wax}"/><path fill="none" stroke="${sheet[0]}" stroke-width="2.2" d="${tick}"/></svg>`;

/** The same drawing as the address of an icon, which loads nothing. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(icon)}`;

/**
 * Shows the buttons that copy a text of the page, and adds one after each text that a reader copies. The page is
 * complete without it; it is the same in every page, so that a policy can name its hash.
 */
export const copyScript = `if(navigator.clipboard){const copy=(button,text)=>{button.hidden=false;const words=button.textContent;button.onclick=()=>navigator.clipboard.writeText(text.textContent).then(()=>{button.textContent='Copied';setTimeout(()=>{button.textContent=words},1500)})};for(const button of document.querySelectorAll('[data-copy]'))copy(button,document.getElementById(button.dataset.copy));for(const text of document.querySelectorAll('.bug-report pre,code.command,.replay code')){const button=document.createElement('button');button.type='button';button.textContent='Copy';text.after(' ',button);copy(button,text)}}`;

/** Returns the source of a policy that allows a script, or a style sheet, with this text alone. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Renders a button that copies the text of an element, for readers whose browser runs the script. */
export function copyButton(id: string, words: string): Markup {
  return markup`<button type="button" data-copy="${id}" hidden>${words}</button>`;
}

/**
 * Returns a policy that allows only the style sheet with this hash and the page's own scripts: an injected script or
 * style of a target has no effect.
 */
function contentPolicy(sheet: string, scripts: readonly string[]): string[] {
  return [
    "default-src 'none'",
    `style-src ${hashSource(sheet)}`,
    ...(scripts.length > 0 ? [`script-src ${scripts.map(hashSource).join(' ')}`] : []),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
}

export type RunPage = {
  readonly title: string;
  /** The kind of page: `load report`. */
  readonly kind: string;
  /** Links to its parts, which stay in sight. */
  readonly contents?: Part;
  readonly header: Markup;
  readonly main: Markup;
  /** The page's content as JSON, in a script element with this id. */
  readonly embedded?: { readonly id: string; readonly value: object } | undefined;
  /** Seconds until the page reloads, and the address: `60; url=?window=7d`. */
  readonly refresh?: string | undefined;
  /** A sentence for search engines, and for a chat that shows a link to the page. */
  readonly description?: string | undefined;
  readonly moreStyles?: string;
  /** Adds the script that copies its texts. */
  readonly hasCopies?: boolean;
  /** A script of this kind of page: constant, because the policy names its hash. */
  readonly script?: string | undefined;
};

const longestDescription = 300;

/** Returns the style sheet of a page: that of all pages, and its own. */
export function styleSheet(more = ''): string {
  return styles + more;
}

/** The first thing that a keyboard reaches, before the links of a page. */
export const skipLink = markup`<a class="skip" href="#main">Skip to the content</a>`;

/** Renders the whole document. */
export function page(runPage: RunPage): string {
  const { title, kind, contents, header, main, embedded, refresh, description } = runPage;
  const { moreStyles, hasCopies = false, script } = runPage;
  const sheet = styleSheet(moreStyles);
  const scripts = [...(hasCopies ? [copyScript] : []), ...(script === undefined ? [] : [script])];
  const whole = markup`${pageStart(contentPolicy(sheet, scripts), title, { refresh, description })}
<link rel="icon" href="${favicon}">
<style>${new Markup(sheet)}</style>
</head>
<body>
${skipLink}
${hatching}<nav class="top" aria-label="Contents"><a class="home" href="#main">${logo}Candleproof</a> <span class="kind">${kind}</span>${contents}</nav>
${header}
<main id="main">
${main}
</main>${
    embedded &&
    markup`
<script type="application/json" id="${embedded.id}">${new Markup(embedJson(embedded.value))}</script>`
  }${scripts.map(
    (text) => markup`
<script>${new Markup(text)}</script>`,
  )}
</body>
</html>
`;
  return keepFirstIds(whole).source;
}

/**
 * Renders the start of every page: the policy precedes everything that it governs. The address in `refresh` has no
 * fragment, because a browser scrolls to a fragment instead of reloading.
 */
export function pageStart(
  policy: readonly string[],
  title: string,
  {
    refresh,
    description,
    picture,
  }: Pick<RunPage, 'refresh' | 'description'> & { readonly picture?: string | undefined } = {},
): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">${
    refresh !== undefined &&
    markup`
<meta http-equiv="refresh" content="${refresh}">`
  }
<title>${title}</title>${
    description !== undefined &&
    markup`
<meta name="description" content="${clip(description, longestDescription)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${clip(description, longestDescription)}">`
  }${
    picture !== undefined &&
    markup`
<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary_large_image">`
  }`;
}

/** Renders the links of a page to its parts, with the number of what each holds. */
export function contentLinks(
  parts: readonly (readonly [href: string, count: number | undefined, words: string])[],
): Markup[] {
  return parts.map(
    ([href, count, words]) =>
      markup` <a href="${href}">${count !== undefined && markup`<b>${thousands(count)}</b> `}${words}</a>`,
  );
}
