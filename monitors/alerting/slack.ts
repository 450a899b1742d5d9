import type { Json } from '../../results/results-store.ts';
import type { Message } from './message.ts';

/** Slack refuses a section of more. */
const mostText = 2900;

/** The message as Slack's incoming webhooks take it: `text` for notifications, `blocks` for the channel. */
export function slackBody({ text, id, at, since }: Message): Json {
  const told = plain(text).slice(0, mostText);
  const facts = [at, ...(since === undefined ? [] : [`since ${since}`]), id];
  return {
    text: told,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: told } },
      { type: 'context', elements: [{ type: 'plain_text', text: facts.join(' · ').slice(0, mostText) }] },
    ],
  };
}

/** These three characters are Slack's markup: a name could otherwise call a whole channel. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
