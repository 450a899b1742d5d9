import { type Answer, headersNamed } from '../../reading/reading.ts';

/** Returns whether something else than the API answered with a page, such as a login or a check for robots. */
export function isPage(answer: Answer): boolean {
  const { broken, body } = answer;
  if (broken === undefined || !body) return false;
  const [label = ''] = headersNamed(answer, 'content-type') ?? [];
  return /^text\/html\b/i.test(label.trim()) || /^\s*<(!doctype|html|head|body)\b/i.test(body.text);
}

/** Words such an answer: `A page, not the API, answered the request without a key.` */
export function pageSentence({ exchange }: Answer): string {
  const { credential } = exchange.request;
  const isTrial = credential.startsWith('trial:');
  const requested = credential === 'none' ? ' the request without a key' : isTrial ? ' a wrong key' : '';
  return `A page, not the API, answered${requested}.`;
}
