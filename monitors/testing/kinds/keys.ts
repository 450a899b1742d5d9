import { begin } from '../truth/episodes.ts';
import { day } from '../watching.ts';
import { type EpisodeScript, planSpending } from './kind.ts';

const roomy = { limit: 1_000_000 };

/** Keys: refused, used by others, changed, short and spent. */
export const keys: readonly EpisodeScript[] = [
  {
    name: 'a key that is refused (401)',
    month: roomy,
    answer: ({ minute }) => (minute >= 60 && minute < 90 ? { status: 401 } : undefined),
    says: [
      '70 fired page: mainnet: not judged since 2026-10-25 00:15 UTC, 3 slots: the key was refused (401)',
      '90 resolved page: mainnet: judged again after 30 min',
    ],
  },
  {
    name: 'a key that is refused (403)',
    month: roomy,
    answer: ({ minute }) => (minute >= 60 && minute < 90 ? { status: 403 } : undefined),
    says: [
      '70 fired page: mainnet: not judged since 2026-10-25 00:15 UTC, 3 slots: the key was refused (403)',
      '90 resolved page: mainnet: judged again after 30 min',
    ],
  },
  {
    name: 'a rate limit',
    month: roomy,
    answer: ({ minute }) => (minute >= 60 && minute < 90 ? { status: 429 } : undefined),
    says: [
      '70 fired page: mainnet: not judged since 2026-10-25 00:15 UTC, 3 slots: rate limited (429): 999,985 requests of the month were left',
      '90 resolved page: mainnet: judged again after 30 min',
    ],
  },
  {
    name: 'a rate limit for two slots',
    month: roomy,
    answer: ({ minute }) => (minute >= 60 && minute < 70 ? { status: 429 } : undefined),
    says: [],
  },
  {
    name: 'somebody else uses the key once',
    month: roomy,
    acts: planSpending({ 60: 40 }),
    says: ['60 fired ticket: key main: 40 requests were made with it that are not ours'],
  },
  {
    name: 'somebody else uses the key over two days',
    hours: 50,
    month: roomy,
    acts: planSpending({ 60: 60, 120: 120, 240: 240, 600: 600, 1600: 1600 }),
    says: [
      '60 fired ticket: key main: 60 requests were made with it that are not ours',
      '600 changed ticket: key main, changed after 9 h: 960 requests were made with it that are not ours; 1020 in all',
      '2040 reminder ticket: key main',
    ],
  },
  {
    name: 'others use a shared key',
    month: { ...roomy, isShared: true },
    acts: planSpending({ 60: 4000 }),
    says: [],
  },
  {
    name: 'a limit that is raised',
    month: roomy,
    acts: {
      60: ({ month }) => {
        month.limit *= 2;
      },
    },
    says: ['60 fired ticket: key main: its limit is 2000000 requests a month now, no longer 1000000'],
  },
  {
    name: 'a limit that is lowered to less than its probes need',
    month: roomy,
    acts: {
      60: ({ month }) => {
        month.limit = 3000;
      },
    },
    says: [
      '60 fired ticket: key main: its limit is 3000 requests a month now, no longer 1000000',
      '61 fired ticket: key main: only 36 % of the slots are run, so that the quota lasts; only the reserve is left by 2026-11-03 08:11 UTC at the planned pace, 2987 requests now; the quota is reset 2026-11-13 23:15 UTC',
    ],
  },
  {
    name: 'a key that is at its reserve',
    hours: 27,
    month: { limit: 20_000, used: 18_500 },
    acts: { 600: (stage) => stage.restart() },
    says: [
      '1 fired page: key main: only the reserve is left since 2026-10-24 23:15 UTC, 1499 requests now; the quota is reset 2026-11-13 23:15 UTC',
      '1441 reminder page: key main',
    ],
  },
  {
    name: 'a key whose limit is raised while it is at its reserve',
    hours: 27,
    month: { limit: 20_000, used: 18_500 },
    acts: {
      60: ({ month }) => {
        month.limit = 200_000;
      },
    },
    says: [
      '1 fired page: key main: only the reserve is left since 2026-10-24 23:15 UTC, 1499 requests now; the quota is reset 2026-11-13 23:15 UTC',
      '1440 fired ticket: key main: its limit is 200000 requests a month now, no longer 20000',
      '1441 resolved page: key main: the quota lasts until its reset again after 24 h',
    ],
  },
  {
    name: 'a key that pays for a part of the slots',
    hours: 27,
    month: { limit: 9000, used: 5000 },
    says: [
      '1 fired ticket: key main: only 23 % of the slots are run, so that the quota lasts; only the reserve is left by 2026-11-04 17:31 UTC at the planned pace, 3999 requests now; the quota is reset 2026-11-13 23:15 UTC',
      '1441 reminder ticket: key main',
    ],
  },
  {
    name: 'a month that ends while its key is at its reserve',
    hours: 4,
    month: { limit: 200_000, used: 190_000, reset: begin + day / 12 - 1 },
    acts: {
      120: ({ month }) => Object.assign(month, { used: 0, reset: month.reset + 30 * day }) && undefined,
    },
    says: [
      '1 fired page: key main: only the reserve is left since 2026-10-24 23:15 UTC, 9999 requests now; the quota is reset 2026-10-25 01:14 UTC',
      '125 resolved page: key main: the quota lasts until its reset again after 2 h',
    ],
  },
  {
    name: 'a month that ends',
    month: { ...roomy, used: 40_000, reset: begin + day / 24 - 1 },
    acts: {
      60: ({ month }) => Object.assign(month, { used: 0, reset: month.reset + 30 * day }) && undefined,
    },
    says: [],
  },
  {
    name: 'a burst that lasts for the month all the same',
    month: { ...roomy, isShared: true, used: 100_000 },
    acts: planSpending({ 60: 20_000 }),
    says: [],
  },
  {
    name: 'a key that others use up',
    hours: 4,
    month: { ...roomy, isShared: true, used: 100_000 },
    acts: planSpending({ 60: 795_000, 120: 50_000 }),
    says: [
      '61 fired page: key main: no slot is run, because the reserve and the shares of others leave too little, 104987 requests now; the quota is reset 2026-11-13 23:15 UTC; 795000 requests of the month were not ours',
    ],
  },
  {
    name: 'somebody else uses the key, and ten times as much within the hour',
    hours: 27,
    month: roomy,
    acts: planSpending({ 60: 40, 75: 4000 }),
    says: [
      '60 fired ticket: key main: 40 requests were made with it that are not ours',
      '75 changed ticket: key main, changed after 15 min: 4000 requests were made with it that are not ours; 4040 in all',
      '1515 resolved ticket: key main: no more for 24 h; 4040 in all',
    ],
  },
  {
    name: 'a stolen key that is used up',
    hours: 5,
    month: { ...roomy, used: 100_000 },
    acts: planSpending({ 60: 160_000, 65: 160_000, 70: 160_000, 75: 160_000, 80: 160_000 }),
    says: [
      '60 fired ticket: key main: 160000 requests were made with it that are not ours',
      '61 fired ticket: key main: only the reserve is left by 2026-10-29 00:15 UTC at the planned pace, 739987 requests now; the quota is reset 2026-11-13 23:15 UTC; 160000 requests of the month were not ours',
      '71 changed page: key main, changed after 10 min: only the reserve is left by 2026-10-25 16:25 UTC at the planned pace, 419985 requests now; the quota is reset 2026-11-13 23:15 UTC; 480000 requests of the month were not ours',
      '86 changed page: key main, changed after 25 min: no slot is run, because the reserve and the shares of others leave too little, 259984 requests now; the quota is reset 2026-11-13 23:15 UTC; 640000 requests of the month were not ours',
    ],
  },
];
