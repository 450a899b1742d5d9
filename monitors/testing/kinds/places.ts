import type { TargetReply } from '../scripted-target.ts';
import type { EpisodeScript } from './kind.ts';

const down: TargetReply = { status: 503 };

function planned(from: string, to: string): EpisodeScript['definition'] {
  return {
    maintenance: [{ target: 'mainnet', window: { zone: 'Europe/London', days: ['sunday'], from, to } }],
  };
}

/** Planned work. The clocks of London are set back at minute 105, and the play begins at 00:15 there. */
export const work: readonly EpisodeScript[] = [
  {
    name: 'an outage within planned work',
    definition: planned('01:10', '01:40'),
    answer: ({ minute: at }) => (at >= 60 && at < 80 ? down : undefined),
    says: [],
  },
  {
    name: 'an outage that outlives planned work',
    definition: planned('00:30', '00:55'),
    answer: ({ minute: at }) => (at >= 20 && at < 80 ? down : undefined),
    says: [
      'fired page: availability of mainnet: status 503 since 2026-10-24 23:55 UTC, and it lasts',
      'reminder page: availability of mainnet',
      'resolved page: availability of mainnet: up again after 40 min',
    ],
  },
  {
    name: 'planned work within an outage',
    definition: planned('01:00', '01:20'),
    answer: ({ minute: at }) => (at >= 20 && at < 90 ? down : undefined),
    says: [
      'fired page: availability of mainnet: status 503 since 2026-10-24 23:35 UTC, and it lasts',
      'reminder page: availability of mainnet (3)',
      'resolved page: availability of mainnet: up again after 1 h 45 min',
    ],
  },
  {
    name: 'planned work in the hour that comes twice',
    hours: 5,
    definition: planned('01:20', '01:50'),
    answer: ({ minute: at }) => ((at >= 70 && at < 90) || (at >= 130 && at < 150) ? down : undefined),
    says: [],
  },
  {
    name: 'planned work that is announced by command',
    hours: 4,
    answer: ({ minute: at }) => (at >= 65 && at < 110 ? down : undefined),
    acts: { 60: (stage) => stage.announce(60) },
    says: [
      'fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      'resolved ticket: mainnet: planned work is over after 60 min',
    ],
  },
  {
    name: 'announced work that ends early over a killed monitor, in an outage that outlives it',
    hours: 4,
    answer: ({ minute: at }) => (at >= 65 && at < 150 ? down : undefined),
    acts: {
      60: (stage) => stage.announce(60),
      70: (stage) => stage.restart(),
      90: (stage) => stage.announce(0),
    },
    says: [
      'fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      'resolved ticket: mainnet: planned work is over after 30 min',
      'fired page: availability of mainnet: status 503 since 2026-10-25 00:45 UTC, and it lasts',
      'reminder page: availability of mainnet',
      'resolved page: availability of mainnet: up again after 1 h',
    ],
  },
  {
    name: 'a key that is refused in planned work',
    month: {},
    definition: planned('01:00', '01:30'),
    answer: ({ minute: at }) => (at >= 45 && at < 75 ? { status: 401 } : undefined),
    says: [],
  },
];

const two = ['fra', 'nyc'] as const;

/** Two locations with one key. */
export const locations: readonly EpisodeScript[] = [
  {
    name: 'an outage that both locations see',
    locations: two,
    answer: ({ minute: at }) => (at >= 60 && at < 90 ? down : undefined),
    says: [
      'fra fired page: availability of mainnet: status 503 since 2026-10-25 00:16 UTC, and it lasts',
      'nyc fired page: availability of mainnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      'fra resolved page: availability of mainnet: up again after 30 min',
      'nyc resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'an outage that one location sees',
    locations: two,
    answer: ({ minute: at, location }) => (location === 'nyc' && at >= 60 && at < 90 ? down : undefined),
    says: [
      'nyc fired page: availability of mainnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      'nyc resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'a key of two locations at its reserve',
    hours: 4,
    locations: two,
    month: { limit: 20_000, used: 18_500 },
    says: [
      'nyc fired page: key main: only the reserve is left since 2026-10-24 23:16 UTC, 1499 requests now; the quota is reset 2026-11-13 23:15 UTC',
      'fra fired page: mainnet: not judged since 2026-10-24 23:20 UTC, 3 slots: the reserve and the shares of others leave too little',
    ],
  },
  {
    name: 'others use the key of two locations',
    locations: two,
    month: {},
    acts: {
      60: ({ month }) => {
        month.used += 40;
      },
    },
    says: [
      'nyc fired ticket: key main: 40 requests were made with it that are not ours',
      'fra fired ticket: key main: 40 requests were made with it that are not ours',
    ],
  },
  {
    name: 'two locations are served another past',
    locations: two,
    isHistory: true,
    acts: {
      60: (stage) => {
        stage.past = { isReplaced: true };
      },
      90: (stage) => {
        stage.past = {};
      },
    },
    says: [
      'fra fired ticket: mainnet: 47 closed candles changed after having been seen',
      'nyc fired ticket: mainnet: 47 closed candles changed after having been seen',
      'fra changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:17 UTC, and it lasts',
      'nyc changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:19 UTC, and it lasts',
      'fra resolved page: correctness of mainnet: correct again after 30 min',
      'nyc resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
];
