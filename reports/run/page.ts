import { createHash } from 'node:crypto';
import { embedJson } from '../words/escape.ts';
import { Markup, markup, type Part } from '../words/markup.ts';
import { favicon, logo } from './logo.ts';
import { styles } from './styles.ts';

/**
 * Returns a policy that allows only the style sheet with this hash: an injected script or style of a target has no
 * effect.
 */
function contentPolicy(sheet: string): string[] {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
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
  readonly moreStyles?: string;
};

/** Renders the whole document. */
export function page(runPage: RunPage): string {
  const { title, kind, contents, header, main, embedded, refresh, moreStyles = '' } = runPage;
  const sheet = styles + moreStyles;
  const { source } = markup`${pageStart(contentPolicy(sheet), title, refresh)}
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
export function pageStart(policy: readonly string[], title: string, refresh?: string): Markup {
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
<title>${title}</title>`;
}
