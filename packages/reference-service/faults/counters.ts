import type { QuotaNumbers } from '../api/admission/quota.ts';
import type { Distortion } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { withDelivery, withHeader } from './bending/bent-reply.ts';
import { bendReplies } from './bending/places.ts';
import { declareFaults } from './fault.ts';

/** Faults that count with a separate memory, from the moment when they are switched on. */
export const counterFaults = declareFaults('quota', {
  'F104 counters-are-cached': {
    title: 'the rate limit headers are brought up to date once a minute',
    breaks: ['quota/counts-every-request'],
    sizes: { unit: 'seconds', usual: 60, scale: [0.01, 0.1, 1, 60] },
    make: cacheCounters,
  },
  'F106 counter-of-each-process': {
    title: 'two processes take turns, and each counts for itself',
    breaks: ['quota/counts-every-request'],
    sizes: { unit: 'processes', usual: 2, scale: [2, 8] },
    make: countPerProcess,
  },
  'F107 parallel-counts-are-lost': {
    title: 'a request that comes while another is answered is not counted',
    breaks: ['quota/counts-in-parallel'],
    sizes: { unit: 'milliseconds that an answer takes', usual: 25, scale: [1, 5, 25] },
    make: loseCounts,
  },
  'F107b parallel-counts-are-alike': {
    title: 'a request that comes while another is answered is counted, and shown the count of that one',
    breaks: ['quota/parallel-counts-differ'],
    sizes: { unit: 'milliseconds that an answer takes', usual: 25, scale: [5, 25] },
    make: slowDownReplies,
  },
  'F113 keys-share-a-counter': {
    title: 'all keys are counted together',
    breaks: ['quota/keys-are-counted-apart'],
    shows: 'second key',
    make: shareCounters,
  },
  'F114 counter-outlives-the-month': {
    title: 'when a month begins, the counters go on from where they were',
    breaks: ['quota/resets-at-its-time'],
    shows: 'moved clock',
    make: carryCountsOver,
  },
  'F161 refusals-give-a-request-back': {
    title: 'what is left grows by one from an answer to the refusal of a faulty request after it',
    breaks: ['quota/never-runs-backwards'],
    make: () => bendReplies(isFaulty, returnCount),
  },
});

function isFaulty({ status }: Reply): boolean {
  return status === 400 || status === 404;
}

/** One for this request, and one more. */
function returnCount(reply: Reply): Reply {
  const name = 'x-ratelimit-remaining';
  const [, left] = reply.headers.find(([key]) => key === name) ?? [];
  return withHeader(reply, name, String(Number(left) + 2));
}

function cacheCounters(seconds: number): Distortion {
  const kept = new Map<number, { readonly until: number; readonly quota: QuotaNumbers }>();
  return {
    quota: (quota, { key, now }) => {
      if (key === undefined) return quota;
      const known = kept.get(key);
      if (known && now < known.until) return known.quota;
      kept.set(key, { until: now + seconds * 1000, quota });
      return quota;
    },
  };
}

function countPerProcess(processes: number): Distortion {
  const counts = new Map<string, number>();
  const accounts = new Map<number, { readonly first: number; readonly last: number }>();
  let turn = 0;
  return {
    quota: (quota, { key }) => {
      if (key === undefined) return quota;
      turn = (turn + 1) % Math.round(processes);
      const used = countUsed(quota);
      const { first, last } = accounts.get(key) ?? { first: used - 1, last: used - 1 };
      accounts.set(key, { first, last: used });
      const process = `${key} ${turn}`;
      const count = (counts.get(process) ?? first) + used - last;
      counts.set(process, count);
      return withUsed(quota, count);
    },
  };
}

/** Delays the answer slightly longer than counts are lost, so that no later request is mistaken for a parallel one. */
function loseCounts(milliseconds: number): Distortion {
  const busyUntil = new Map<number, number>();
  return {
    charge: (requests, { key, now }) => {
      if (key === undefined) return requests;
      if (now < (busyUntil.get(key) ?? 0)) return 0;
      busyUntil.set(key, now + milliseconds);
      return requests;
    },
    reply: (reply, { key }) => (key === undefined ? reply : withDelivery(reply, { wait: milliseconds + 5 })),
  };
}

function slowDownReplies(milliseconds: number): Distortion {
  return {
    ...cacheCounters(milliseconds / 1000),
    reply: (reply, { key }) => (key === undefined ? reply : withDelivery(reply, { wait: milliseconds + 5 })),
  };
}

function shareCounters(): Distortion {
  const used = new Map<number, number>();
  return {
    quota: (quota, { key }) => {
      if (key === undefined) return quota;
      used.set(key, countUsed(quota));
      return withUsed(
        quota,
        [...used.values()].reduce((sum, count) => sum + count, 0),
      );
    },
  };
}

function carryCountsOver(): Distortion {
  const kept = new Map<number, { reset: number; used: number; before: number }>();
  return {
    quota: (quota, { key }) => {
      if (key === undefined) return quota;
      const { reset } = quota;
      const last = kept.get(key) ?? { reset, used: 0, before: 0 };
      const before = reset > last.reset ? last.before + last.used : last.before;
      kept.set(key, { reset, used: countUsed(quota), before });
      return withUsed(quota, countUsed(quota) + before);
    },
  };
}

function countUsed({ limit, remaining, additionalTotal }: QuotaNumbers): number {
  return limit - remaining + additionalTotal;
}

function withUsed(quota: QuotaNumbers, used: number): QuotaNumbers {
  const { limit } = quota;
  return { ...quota, remaining: Math.max(0, limit - used), additionalTotal: Math.max(0, used - limit) };
}
