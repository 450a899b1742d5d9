import { createHash } from 'node:crypto';
import { embedJson } from '../words/escape.ts';
import { Markup, markup } from '../words/markup.ts';
import { pageStart } from '../words/page-start.ts';
import { styles } from './styles.ts';

/** The one style sheet by its hash: neither a script nor a style of a target's could act even if it slipped in. */
function policyOf(sheet: string): string[] {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
}

export type RunPage = {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  /** What the page is made of, for programs, in a script element of this id. */
  readonly embedded: { readonly id: string; readonly value: object };
  /** Seconds after which it is loaded anew. */
  readonly refresh?: number | undefined;
  /** What the usual styles lack. */
  readonly moreStyles?: string;
};

/** The whole document. */
export function page({ title, header, main, embedded, refresh, moreStyles = '' }: RunPage): string {
  const sheet = styles + moreStyles;
  const { source } = markup`${pageStart(policyOf(sheet), title, refresh)}
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
