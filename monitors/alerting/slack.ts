import type { Json } from '../../results/results-store.ts';
import type { AlertMessage } from './message.ts';

/** Slack refuses a section of more. */
const mostText = 2900;

/** The message as Slack's incoming webhooks take it: `text` for notifications, `blocks` for the channel. */
export function slackBody({ text, id, at, since }: AlertMessage): Json {
  const reported = plain(text).slice(0, mostText);
  const facts = [at, ...(since === undefined ? [] : [`since ${since}`]), id];
  return {
    text: reported,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: reported } },
      { type: 'context', elements: [{ type: 'plain_text', text: facts.join(' · ').slice(0, mostText) }] },
    ],
  };
}

/** These three characters are Slack's markup: a name could otherwise call a whole channel. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
