import { createHash } from 'node:crypto';
import type { Run } from '../../contract/verdict.ts';
import { embedJson } from '../escape.ts';
import { Markup, markup } from '../markup.ts';
import { symbols } from './marks.ts';
import { styles } from './styles.ts';

/** The one style sheet by its hash: neither a script nor a style of a target's could act even if it slipped in. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export type Page = {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly run: Run;
};

/** The whole document; in its order what must come first comes first: the policy before anything it governs. */
export function page({ title, header, main, run }: Page): string {
  const { source } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(styles)}</style>
</head>
<body>
${symbols}
${header}
<main>
${main}
</main>
<script type="application/json" id="run">${new Markup(embedJson(run))}</script>
</body>
</html>
`;
  return source;
}
