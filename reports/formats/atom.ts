import { type Markup, markup } from '../words/markup.ts';

/** One entry of a feed; `link` is relative to the feed. */
export type FeedEntry = {
  readonly title: string;
  /** The same for ever, so that a reader shows it once. */
  readonly id: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly link: string;
  readonly summary: string;
};

export type Feed = {
  readonly title: string;
  readonly id: string;
  /** The time of a feed without entries. */
  readonly now: string;
  /** The newest first. */
  readonly entries: readonly FeedEntry[];
};

/** Renders a feed (Atom, RFC 4287); every text is escaped. */
export function atomFeed({ title, id, now, entries }: Feed): string {
  const { source } =
    markup`<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title><id>${id}</id><updated>${entries[0]?.updated ?? now}</updated><author><name>Candleproof</name></author><link rel="alternate" href="./"/>
${entries.map(entryMarkup)}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${source}`;
}

function entryMarkup({ title, id, updated, link, summary }: FeedEntry): Markup {
  return markup`<entry><title>${title}</title><id>${id}</id><updated>${updated}</updated><link rel="alternate" href="${link}"/><summary>${summary}</summary></entry>
`;
}
