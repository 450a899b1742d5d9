import type { Json } from '../../results/results-store.ts';
import type { AlertMessage } from './message.ts';

/** Slack refuses a section of more. */
const mostText = 2900;

/**
 * Returns the message as Slack's incoming webhooks take it: `text` for notifications, `blocks` for the channel. Names in
 * it become neither links nor mentions, and Slack fetches no page that one of them looks like.
 */
export function slackBody({ text, id, at, since }: AlertMessage): Json {
  const reported = plain(text).slice(0, mostText);
  const facts = [at, ...(since === undefined ? [] : [`since ${since}`]), id];
  return {
    text: reported,
    ...{ unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: reported, verbatim: true } },
      { type: 'context', elements: [{ type: 'plain_text', text: facts.join(' · ').slice(0, mostText) }] },
    ],
  };
}

/** Escapes Slack's markup: a name could otherwise call a whole channel. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
