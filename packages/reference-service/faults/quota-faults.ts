import type { Distortion } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { withHeader, withoutHeaders } from './bending/bent-reply.ts';
import { bendAt, bendReplies, isError, isTokenList } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const HEADERS = 'x-ratelimit-';
const EVERYWHERE = 'quota/headers-on-every-answer';
const DAY = 86_400_000;
const THIRTY_DAYS = 30 * DAY;

export const quotaFaults = declareFaults('quota', {
  'F102 errors-without-counters': {
    title: 'answers to faulty requests lack the rate limit headers',
    breaks: [EVERYWHERE],
    make: () => bendReplies(isError, withoutCounters),
  },
  'F103 tokens-without-counters': {
    title: 'the token list lacks the rate limit headers',
    breaks: [EVERYWHERE],
    make: () => bendAt('reply', isTokenList, withoutCounters),
  },
  'F103b not-modified-without-counters': {
    title: 'a 304 lacks the rate limit headers',
    breaks: [EVERYWHERE],
    drawn: 'not-modified',
    make: () => bendReplies(({ status }) => status === 304, withoutCounters),
  },
  'F105 double-charge': {
    title: 'every request is counted twice',
    breaks: ['quota/counts-every-request'],
    sizes: { unit: 'times', usual: 2, scale: [2, 3] },
    make: (size) => ({ charge: (requests) => requests * Math.round(size) }),
  },
  'F108 reset-in-seconds': {
    title: 'x-ratelimit-reset is in seconds',
    breaks: ['quota/reset-is-in-milliseconds'],
    make: () => ({ quota: (quota) => ({ ...quota, reset: Math.floor(quota.reset / 1000) }) }),
  },
  'F108b reset-as-a-date': {
    title: 'x-ratelimit-reset is a date in words',
    breaks: [EVERYWHERE],
    make: () => ({ reply: withDate }),
  },
  'F109 reset-rolls-on': {
    title: 'x-ratelimit-reset is always thirty days ahead',
    breaks: ['quota/reset-is-constant'],
    make: () => ({ quota: (quota, { now }) => ({ ...quota, reset: now + THIRTY_DAYS }) }),
  },
  'F110 additional-within-the-limit': {
    title: 'x-ratelimit-additional-total is 1 although the limit is not reached',
    breaks: ['quota/additional-only-beyond-limit'],
    sizes: { unit: 'requests', usual: 1, scale: [1, 100] },
    make: (size) => ({
      quota: (quota) => ({ ...quota, additionalTotal: quota.additionalTotal + Math.round(size) }),
    }),
  },
  'F111 remaining-below-zero': {
    title: 'beyond the limit x-ratelimit-remaining is negative',
    breaks: [EVERYWHERE],
    shows: 'tiny key',
    make: () => ({
      quota: (quota) => ({ ...quota, remaining: quota.remaining - quota.additionalTotal }),
    }),
  },
  'F112 additional-stays-zero': {
    title: 'x-ratelimit-additional-total stays 0 beyond the limit',
    breaks: ['quota/counts-every-request'],
    shows: 'tiny key',
    make: () => ({ quota: (quota) => ({ ...quota, additionalTotal: 0 }) }),
  },
  'F112b additional-starts-at-two': {
    title: 'the first request beyond the limit is counted as two in x-ratelimit-additional-total',
    breaks: ['quota/counts-every-request'],
    shows: 'tiny key',
    make: () => ({
      quota: (quota) => ({ ...quota, additionalTotal: quota.additionalTotal && quota.additionalTotal + 1 }),
    }),
  },
  'F115 limit-shows-remaining': {
    title: 'x-ratelimit-limit shows what remains',
    breaks: ['quota/limit-is-constant'],
    make: () => ({ quota: (quota) => ({ ...quota, limit: quota.remaining }) }),
  },
  'F116 counters-sent-twice': {
    title: 'every rate limit header is sent twice',
    breaks: [EVERYWHERE],
    make: () => ({
      reply: (reply) => {
        const again = reply.headers.filter(([name]) => name.startsWith(HEADERS));
        return { ...reply, headers: [...reply.headers, ...again] };
      },
    }),
  },
  'F154 last-month-is-added': {
    title: 'x-ratelimit-remaining holds what was left of the month before as well',
    breaks: ['quota/remaining-is-within-limit'],
    make: () => ({ quota: (quota) => ({ ...quota, remaining: quota.remaining + quota.limit }) }),
  },
  'F155 reset-in-a-year': {
    title: 'x-ratelimit-reset is the end of this month in the next year',
    breaks: ['quota/reset-is-within-a-month'],
    make: () => ({ quota: (quota) => ({ ...quota, reset: quota.reset + 365 * DAY }) }),
  },
  'F156 every-second-month-is-short': {
    title: 'x-ratelimit-reset of every second month is ten days early',
    breaks: ['quota/resets-are-a-month-apart'],
    shows: 'moved clock',
    make: () => ({
      quota: (quota) =>
        new Date(quota.reset).getUTCMonth() % 2 === 1 ? { ...quota, reset: quota.reset - 10 * DAY } : quota,
    }),
  },
  'F157 refusals-show-the-last-account': {
    title: 'a refused request is answered with the counters of the key that came before it',
    breaks: ['quota/refusals-show-no-account'],
    make: lastAccount,
  },
});

function withoutCounters(reply: Reply): Reply {
  return withoutHeaders(reply, HEADERS);
}

function lastAccount(): Distortion {
  let last: Reply | undefined;
  return {
    reply: (reply, { key }) => {
      if (key !== undefined) last = reply;
      const counters = last?.headers.filter(([name]) => name.startsWith(HEADERS)) ?? [];
      if (key !== undefined || counters.length === 0) return reply;
      const bare = withoutCounters(reply);
      return { ...bare, headers: [...bare.headers, ...counters] };
    },
  };
}

function withDate(reply: Reply): Reply {
  const [name, reset] = reply.headers.find(([name]) => name === 'x-ratelimit-reset') ?? [];
  return name === undefined ? reply : withHeader(reply, name, new Date(Number(reset)).toUTCString());
}
