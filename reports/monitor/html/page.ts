import { createHash } from 'node:crypto';
import { embedJson } from '../../escape.ts';
import { styles } from '../../html/styles.ts';
import { Markup, markup } from '../../markup.ts';
import { monitorStyles } from './styles.ts';

const look = styles + monitorStyles;

/** The one style sheet by its hash: nothing else acts, nothing is asked for. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(look).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export type MonitorPage = {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  /** The figures for programs. */
  readonly embedded: object;
};

/** The whole document, the policy before anything it governs. */
export function monitorDocument({ title, header, main, embedded }: MonitorPage): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(look)}</style>
</head>
<body>
${header}
<main>
${main}
</main>
<script type="application/json" id="monitor">${new Markup(embedJson(embedded))}</script>
</body>
</html>
`.source;
}
