import type { TargetReply } from '../scripted-target.ts';
import { type EpisodeScript, planSettings, planSpending } from './kind.ts';

const down: TargetReply = { status: 503 };

const two = ['fra', 'nyc'] as const;

/** Two locations with one key. */
export const locations: readonly EpisodeScript[] = [
  {
    name: 'an outage that both locations see',
    locations: two,
    answer: ({ minute: at }) => (at >= 60 && at < 90 ? down : undefined),
    says: [
      '66 fra fired page: availability of mainnet: status 503 since 2026-10-25 00:16 UTC, and it lasts',
      '68 nyc fired page: availability of mainnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      '91 fra resolved page: availability of mainnet: up again after 30 min',
      '93 nyc resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'an outage that one location sees',
    locations: two,
    answer: ({ minute: at, location }) => (location === 'nyc' && at >= 60 && at < 90 ? down : undefined),
    says: [
      '68 nyc fired page: availability of mainnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      '93 nyc resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'a key of two locations at its reserve',
    hours: 4,
    locations: two,
    month: { limit: 20_000, used: 18_500 },
    acts: { 60: (stage) => stage.restart() },
    says: [
      '1 nyc fired page: key main: only the reserve is left since 2026-10-24 23:16 UTC, 1499 requests now; the quota is reset 2026-11-13 23:15 UTC',
      '16 fra fired page: mainnet: not judged since 2026-10-24 23:20 UTC, 3 slots: the reserve and the shares of others leave too little',
    ],
  },
  {
    name: 'others use the key of two locations',
    locations: two,
    month: {},
    acts: planSpending({ 60: 40 }),
    says: [
      '63 nyc fired ticket: key main: 40 requests were made with it that are not ours',
      '66 fra fired ticket: key main: 40 requests were made with it that are not ours',
    ],
  },
  {
    name: 'two locations are served another past',
    locations: two,
    isHistory: true,
    acts: planSettings({ 60: { past: { isReplaced: true } }, 90: { past: {} } }),
    says: [
      '62 fra fired ticket: mainnet: 47 closed candles changed after having been seen',
      '64 nyc fired ticket: mainnet: 47 closed candles changed after having been seen',
      '77 fra changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:17 UTC, and it lasts',
      '79 nyc changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:19 UTC, and it lasts',
      '92 fra resolved page: correctness of mainnet: correct again after 30 min',
      '94 nyc resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'two locations with announced work, in which one sees an outage that outlives it',
    hours: 4,
    locations: two,
    answer: ({ minute: at, location }) => (location === 'fra' && at >= 65 && at < 140 ? down : undefined),
    acts: { 60: (stage) => stage.announce(60) },
    says: [
      '60 fra fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '60 nyc fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '120 fra resolved ticket: mainnet: planned work is over after 60 min',
      '120 nyc resolved ticket: mainnet: planned work is over after 60 min',
      '126 fra fired page: availability of mainnet: status 503 since 2026-10-25 01:16 UTC, and it lasts',
      '141 fra resolved page: availability of mainnet: up again after 20 min',
    ],
  },
  {
    name: 'one location of two loses its network in an outage',
    locations: two,
    answer: ({ minute: at, location }, stage) => {
      const isLost = location === 'nyc' && at >= 80 && at < 110;
      stage.doubt = isLost ? 'the monitor reaches 192.0.2.1:443 as little as the target' : undefined;
      if (isLost) return { failure: 'timeout', phase: 'connect' };
      return at >= 60 && at < 130 ? down : undefined;
    },
    says: [
      '66 fra fired page: availability of mainnet: status 503 since 2026-10-25 00:16 UTC, and it lasts',
      '68 nyc fired page: availability of mainnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      '93 nyc fired page: mainnet: not judged since 2026-10-25 00:37 UTC, 3 slots: the monitor reaches 192.0.2.1:443 as little as the target (timeout at connect)',
      '96 fra reminder page: availability of mainnet',
      '113 nyc reminder page: availability of mainnet',
      '114 nyc resolved page: mainnet: judged again after 30 min',
      '126 fra reminder page: availability of mainnet',
      '131 fra resolved page: availability of mainnet: up again after 1 h 10 min',
      '133 nyc resolved page: availability of mainnet: up again after 1 h 10 min',
    ],
  },
];
