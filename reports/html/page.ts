import { createHash } from 'node:crypto';
import { embedJson } from '../escape.ts';
import { Markup, markup } from '../markup.ts';
import { styles } from './styles.ts';

/** The one style sheet by its hash: neither a script nor a style of a target's could act even if it slipped in. */
function policyOf(sheet: string): Markup {
  return new Markup(
    [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  );
}

export type Page = {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  /** What the page is made of, for programs, in a script element of this id. */
  readonly embedded: { readonly id: string; readonly value: object };
  /** What the usual styles lack. */
  readonly moreStyles?: string;
};

/** The whole document; in its order what must come first comes first: the policy before anything it governs. */
export function page({ title, header, main, embedded, moreStyles = '' }: Page): string {
  const sheet = styles + moreStyles;
  const { source } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(sheet)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(sheet)}</style>
</head>
<body>
${header}
<main>
${main}
</main>
<script type="application/json" id="${embedded.id}">${new Markup(embedJson(embedded.value))}</script>
</body>
</html>
`;
  return source;
}
