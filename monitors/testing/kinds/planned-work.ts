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
      '45 fired page: availability of mainnet: status 503 since 2026-10-24 23:55 UTC, and it lasts',
      '75 reminder page: availability of mainnet',
      '80 resolved page: availability of mainnet: up again after 40 min',
    ],
  },
  {
    name: 'planned work within an outage',
    definition: planned('01:00', '01:20'),
    answer: ({ minute: at }) => (at >= 20 && at < 90 ? down : undefined),
    says: [
      '25 fired page: availability of mainnet: status 503 since 2026-10-24 23:35 UTC, and it lasts',
      '125 resolved page: availability of mainnet: up again after 1 h 45 min',
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
      '60 fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '120 resolved ticket: mainnet: planned work is over after 60 min',
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
      '60 fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '90 resolved ticket: mainnet: planned work is over after 30 min',
      '95 fired page: availability of mainnet: status 503 since 2026-10-25 00:45 UTC, and it lasts',
      '125 reminder page: availability of mainnet',
      '150 resolved page: availability of mainnet: up again after 1 h',
    ],
  },
  {
    name: 'a key that is refused in planned work',
    month: {},
    definition: planned('01:00', '01:30'),
    answer: ({ minute: at }) => (at >= 45 && at < 75 ? { status: 401 } : undefined),
    says: [],
  },
  {
    name: 'announced work that ends early, without an outage',
    acts: { 60: (stage) => stage.announce(60), 80: (stage) => stage.announce(0) },
    says: [
      '60 fired ticket: mainnet: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '80 resolved ticket: mainnet: planned work is over after 20 min',
    ],
  },
  {
    name: 'announced work that is prolonged',
    hours: 4,
    answer: ({ minute: at }) => (at >= 65 && at < 120 ? down : undefined),
    acts: { 60: (stage) => stage.announce(30), 85: (stage) => stage.announce(60) },
    says: [
      '60 fired ticket: mainnet: planned work until 2026-10-25 00:45 UTC: kim: new disks',
      '85 changed ticket: mainnet, changed after 25 min: planned work until 2026-10-25 01:40 UTC: kim: new disks',
      '145 resolved ticket: mainnet: planned work is over after 85 min',
    ],
  },
  {
    name: 'work that is announced during an outage, which outlives it',
    hours: 4,
    answer: ({ minute: at }) => (at >= 60 && at < 150 ? down : undefined),
    acts: { 80: (stage) => stage.announce(30) },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '80 fired ticket: mainnet: planned work until 2026-10-25 01:05 UTC: kim: new disks',
      '110 resolved ticket: mainnet: planned work is over after 30 min',
      '110 changed page: availability of mainnet, changed after 50 min: still bad after planned work',
      '140 reminder page: availability of mainnet',
      '150 resolved page: availability of mainnet: up again after 1 h 30 min',
    ],
  },
  {
    name: 'work at a gateway on which a target hangs',
    hours: 4,
    targets: ['mainnet', 'behind'],
    definition: { parents: { behind: 'mainnet' } },
    answer: ({ minute: at }) => (at >= 65 && at < 100 ? down : undefined),
    acts: { 60: (stage) => stage.announce(60) },
    says: [
      '60 fired ticket: 2 targets: planned work until 2026-10-25 01:15 UTC: kim: new disks',
      '120 resolved ticket: 2 targets: planned work is over after 60 min',
    ],
  },
];
