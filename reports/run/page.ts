import { createHash } from 'node:crypto';
import { thousands } from '../../contract/reading/thousands.ts';
import { clip, embedJson } from '../words/escape.ts';
import { Markup, markup, type Part } from '../words/markup.ts';
import { copyHash, copyScript } from './copying.ts';
import { favicon, logo } from './logo.ts';
import { styles } from './styles.ts';

/**
 * Returns a policy that allows only the style sheet with this hash, and the script that copies if the page has it: an
 * injected script or style of a target has no effect.
 */
function contentPolicy(sheet: string, hasCopies: boolean): string[] {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
    ...(hasCopies ? [`script-src ${copyHash}`] : []),
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
};

const longestDescription = 300;

/** Renders the whole document. */
export function page(runPage: RunPage): string {
  const {
    title,
    kind,
    contents,
    header,
    main,
    embedded,
    refresh,
    description,
    moreStyles = '',
    hasCopies = false,
  } = runPage;
  const sheet = styles + moreStyles;
  const { source } = markup`${pageStart(contentPolicy(sheet, hasCopies), title, { refresh, description })}
<link rel="icon" href="${favicon}">
<style>${new Markup(sheet)}</style>
</head>
<body>
<nav class="top" aria-label="Contents"><a class="home" href="#main">${logo}Candleproof</a> <span class="kind">${kind}</span>${contents}<a class="skip" href="#main">Skip to the content</a></nav>
${header}
<main id="main">
${main}
</main>${
    embedded &&
    markup`
<script type="application/json" id="${embedded.id}">${new Markup(embedJson(embedded.value))}</script>`
  }${
    hasCopies &&
    markup`
<script>${new Markup(copyScript)}</script>`
  }
</body>
</html>
`;
  return source;
}

/**
 * Renders the start of every page: the policy precedes everything that it governs. The address in `refresh` has no
 * fragment, because a browser scrolls to a fragment instead of reloading.
 */
export function pageStart(
  policy: readonly string[],
  title: string,
  { refresh, description }: Pick<RunPage, 'refresh' | 'description'> = {},
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
