import { withHeader } from './bending/bent-reply.ts';
import type { Fault } from './fault.ts';

export const jsonFaults: readonly Fault[] = [
  {
    id: 'duplicate-key',
    number: 'F20',
    class: 'JSON',
    title: 'every candle names its poolId twice, with different values',
    breaks: ['transport/strict-json'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) =>
        operation === 'listTokens' ? body : body.replaceAll('"poolId":', '"poolId":-1,"poolId":'),
    }),
  },
  {
    id: 'byte-order-mark',
    number: 'F20b',
    class: 'JSON',
    title: 'the token list begins with a byte order mark',
    breaks: ['transport/strict-json'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) => (operation === 'listTokens' ? `\uFEFF${body}` : body),
    }),
  },
  {
    id: 'truncated-text',
    number: 'F21',
    class: 'JSON',
    title: 'the last third of a history is missing, under status 200 and a length that agrees',
    breaks: ['transport/strict-json'],
    shows: 'one check',
    sizes: { unit: 'percent that are missing', usual: 33, scale: [0.001, 1, 33, 99] },
    make: (percent) => ({
      body: (body, { operation }) =>
        operation === 'listV2PoolCandles' ? body.slice(0, lengthWithout(body, percent)) : body,
    }),
  },
  {
    id: 'labelled-plain-text',
    number: 'F22',
    class: 'media',
    title: 'answers are labelled text/plain',
    breaks: ['transport/media-type-is-json'],
    shows: 'one check',
    make: () => ({
      reply: (reply) =>
        reply.status === 200 ? withHeader(reply, 'Content-Type', 'text/plain; charset=utf-8') : reply,
    }),
  },
];

/** At least the last character is cut off. */
function lengthWithout(body: string, percent: number): number {
  return Math.max(0, Math.min(body.length - 1, Math.floor(body.length * (1 - percent / 100))));
}
