import type { Distortion } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { withHeader, withoutHeaders } from './bending/bent-reply.ts';
import { declareFaults } from './fault.ts';

const HEADERS = 'x-ratelimit-';
const EVERYWHERE = 'quota/headers-on-every-answer';
const DAY = 86_400_000;
const THIRTY_DAYS = 30 * DAY;

export const quotaFaults = declareFaults('quota', [
  {
    id: 'errors-without-counters',
    number: 'F102',
    title: 'answers to faulty requests lack the rate limit headers',
    breaks: [EVERYWHERE],
    make: () => ({ reply: (reply) => (reply.status >= 400 ? withoutHeaders(reply, HEADERS) : reply) }),
  },
  {
    id: 'tokens-without-counters',
    number: 'F103',
    title: 'the token list lacks the rate limit headers',
    breaks: [EVERYWHERE],
    make: () => ({
      reply: (reply, { operation }) => (operation === 'listTokens' ? withoutHeaders(reply, HEADERS) : reply),
    }),
  },
  {
    id: 'not-modified-without-counters',
    number: 'F103b',
    title: 'a 304 lacks the rate limit headers',
    breaks: [EVERYWHERE],
    drawn: 'not-modified',
    make: () => ({ reply: (reply) => (reply.status === 304 ? withoutHeaders(reply, HEADERS) : reply) }),
  },
  {
    id: 'double-charge',
    number: 'F105',
    title: 'every request is counted twice',
    breaks: ['quota/counts-every-request'],
    sizes: { unit: 'times', usual: 2, scale: [2, 3] },
    make: (size) => ({ charge: (requests) => requests * Math.round(size) }),
  },
  {
    id: 'reset-in-seconds',
    number: 'F108',
    title: 'x-ratelimit-reset is in seconds',
    breaks: ['quota/reset-is-in-milliseconds'],
    make: () => ({ quota: (quota) => ({ ...quota, reset: Math.floor(quota.reset / 1000) }) }),
  },
  {
    id: 'reset-as-a-date',
    number: 'F108b',
    title: 'x-ratelimit-reset is a date in words',
    breaks: [EVERYWHERE],
    make: () => ({ reply: withDate }),
  },
  {
    id: 'reset-rolls-on',
    number: 'F109',
    title: 'x-ratelimit-reset is always thirty days ahead',
    breaks: ['quota/reset-is-constant'],
    make: () => ({ quota: (quota, { now }) => ({ ...quota, reset: now + THIRTY_DAYS }) }),
  },
  {
    id: 'additional-within-the-limit',
    number: 'F110',
    title: 'x-ratelimit-additional-total is 1 although the limit is not reached',
    breaks: ['quota/additional-only-beyond-limit'],
    sizes: { unit: 'requests', usual: 1, scale: [1, 100] },
    make: (size) => ({
      quota: (quota) => ({ ...quota, additionalTotal: quota.additionalTotal + Math.round(size) }),
    }),
  },
  {
    id: 'remaining-below-zero',
    number: 'F111',
    title: 'beyond the limit x-ratelimit-remaining is negative',
    breaks: [EVERYWHERE],
    shows: 'tiny key',
    make: () => ({
      quota: (quota) => ({ ...quota, remaining: quota.remaining - quota.additionalTotal }),
    }),
  },
  {
    id: 'additional-stays-zero',
    number: 'F112',
    title: 'x-ratelimit-additional-total stays 0 beyond the limit',
    breaks: ['quota/counts-every-request'],
    shows: 'tiny key',
    make: () => ({ quota: (quota) => ({ ...quota, additionalTotal: 0 }) }),
  },
  {
    id: 'additional-starts-at-two',
    number: 'F112b',
    title: 'the first request beyond the limit is counted as two in x-ratelimit-additional-total',
    breaks: ['quota/counts-every-request'],
    shows: 'tiny key',
    make: () => ({
      quota: (quota) => ({ ...quota, additionalTotal: quota.additionalTotal && quota.additionalTotal + 1 }),
    }),
  },
  {
    id: 'limit-shows-remaining',
    number: 'F115',
    title: 'x-ratelimit-limit shows what remains',
    breaks: ['quota/limit-is-constant'],
    make: () => ({ quota: (quota) => ({ ...quota, limit: quota.remaining }) }),
  },
  {
    id: 'counters-sent-twice',
    number: 'F116',
    title: 'every rate limit header is sent twice',
    breaks: [EVERYWHERE],
    make: () => ({
      reply: (reply) => {
        const again = reply.headers.filter(([name]) => name.startsWith(HEADERS));
        return { ...reply, headers: [...reply.headers, ...again] };
      },
    }),
  },
  {
    id: 'last-month-is-added',
    number: 'F154',
    title: 'x-ratelimit-remaining holds what was left of the month before as well',
    breaks: ['quota/remaining-is-within-limit'],
    make: () => ({ quota: (quota) => ({ ...quota, remaining: quota.remaining + quota.limit }) }),
  },
  {
    id: 'reset-in-a-year',
    number: 'F155',
    title: 'x-ratelimit-reset is the end of this month in the next year',
    breaks: ['quota/reset-is-within-a-month'],
    make: () => ({ quota: (quota) => ({ ...quota, reset: quota.reset + 365 * DAY }) }),
  },
  {
    id: 'every-second-month-is-short',
    number: 'F156',
    title: 'x-ratelimit-reset of every second month is ten days early',
    breaks: ['quota/resets-are-a-month-apart'],
    shows: 'moved clock',
    make: () => ({
      quota: (quota) =>
        new Date(quota.reset).getUTCMonth() % 2 === 1 ? { ...quota, reset: quota.reset - 10 * DAY } : quota,
    }),
  },
  {
    id: 'refusals-show-the-last-account',
    number: 'F157',
    title: 'a refused request is answered with the counters of the key that came before it',
    breaks: ['quota/refusals-show-no-account'],
    make: lastAccount,
  },
]);

function lastAccount(): Distortion {
  let last: Reply | undefined;
  return {
    reply: (reply, { key }) => {
      if (key !== undefined) last = reply;
      const counters = last?.headers.filter(([name]) => name.startsWith(HEADERS)) ?? [];
      if (key !== undefined || counters.length === 0) return reply;
      const bare = withoutHeaders(reply, HEADERS);
      return { ...bare, headers: [...bare.headers, ...counters] };
    },
  };
}

function withDate(reply: Reply): Reply {
  const [name, reset] = reply.headers.find(([name]) => name === 'x-ratelimit-reset') ?? [];
  return name === undefined ? reply : withHeader(reply, name, new Date(Number(reset)).toUTCString());
}
