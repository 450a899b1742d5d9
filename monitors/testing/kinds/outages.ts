import type { TargetReply } from '../scripted-target.ts';
import type { EpisodeScript } from './kind.ts';

const down: TargetReply = { status: 503 };

/** Returns a reply from one minute to another. */
function between(from: number, to: number, reply: TargetReply): Pick<EpisodeScript, 'answer'> {
  return { answer: ({ minute }) => (minute >= from && minute < to ? reply : undefined) };
}

/** The ways in which a target does not answer, each with its cause as the message has it. */
const causes: Readonly<Record<string, readonly [TargetReply, string]>> = {
  'a status 500': [{ status: 500 }, 'status 500'],
  'a status 404': [{ status: 404 }, 'status 404'],
  'a redirect': [{ status: 302 }, 'status 302'],
  'a refused connection': [{ failure: 'refused', phase: 'connect' }, 'connection refused'],
  'a name that is gone': [{ failure: 'unreachable', phase: 'dns' }, 'unreachable at dns'],
  'a resolver that is silent': [{ failure: 'timeout', phase: 'dns' }, 'timeout at dns'],
  'a certificate that is refused': [{ failure: 'certificate', phase: 'tls' }, 'certificate at tls'],
  'a silent answer': [{ failure: 'timeout', phase: 'wait' }, 'timeout at wait'],
  'a body that never ends': [{ failure: 'timeout', phase: 'receive' }, 'timeout at receive'],
  'a body that is cut off': [{ failure: 'truncated', phase: 'receive' }, 'truncated at receive'],
  'a connection that is reset': [{ failure: 'reset', phase: 'wait' }, 'reset at wait'],
};

/** Returns a failure of the first attempt in one slot of so many. */
function repaired(slots: number): Pick<EpisodeScript, 'answer'> {
  let last = -1;
  return {
    answer: ({ minute }) => {
      const slot = Math.floor(minute / 5);
      const isFirst = slot !== last;
      last = slot;
      return isFirst && slot % slots === 0 ? down : undefined;
    },
  };
}

/** Outages, by their causes and their times. */
export const outages: readonly EpisodeScript[] = [
  ...Object.entries(causes).map(
    ([name, [reply, cause]]): EpisodeScript => ({
      name,
      ...between(60, 80, reply),
      says: [
        `65 fired page: availability of mainnet: ${cause} since 2026-10-25 00:15 UTC, and it lasts`,
        '80 resolved page: availability of mainnet: up again after 20 min',
      ],
    }),
  ),
  {
    name: 'a status 503 for half an hour',
    ...between(60, 90, down),
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  { name: 'one bad slot', ...between(60, 65, down), says: [] },
  {
    name: 'a first attempt that fails, and a second one that does not',
    answer: ({ minute, count }) => (minute >= 60 && minute < 90 && count % 2 === 1 ? down : undefined),
    says: [
      '66 fired ticket: mainnet: requests fail and are repaired by a second try: 2 of 12 slots in 1h, 2 of 14 slots in 6h, 2 of 14 slots in 1d, 2 of 14 slots in 3d',
    ],
  },
  {
    name: 'a tenth of first attempts that fails',
    hours: 12,
    ...repaired(10),
    says: [
      '51 fired ticket: mainnet: requests fail and are repaired by a second try: 2 of 11 slots in 1h, 2 of 11 slots in 6h, 2 of 11 slots in 1d, 2 of 11 slots in 3d',
    ],
  },
  {
    name: 'one first attempt in two hundred that fails',
    hours: 80,
    ...repaired(200),
    says: [],
  },
  {
    name: 'an outage of six hours',
    hours: 14,
    ...between(60, 420, down),
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: availability of mainnet (11)',
      '420 resolved page: availability of mainnet: up again after 6 h',
    ],
  },
  {
    name: 'three outages, the last two of them within one alert',
    answer: ({ minute }) =>
      minute >= 60 && minute < 150 && Math.floor(minute / 15) % 2 === 0 ? down : undefined,
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '75 resolved page: availability of mainnet: up again after 15 min',
      '90 fired page: availability of mainnet: status 503 since 2026-10-25 00:45 UTC, and it lasts',
      '105 resolved page: availability of mainnet: up again after 15 min; it was outage 2 since 2026-10-25 00:15 UTC',
      '120 fired page: availability of mainnet: status 503 since 2026-10-25 01:15 UTC, and it lasts',
      '135 resolved page: availability of mainnet: up again after 15 min; it was outage 3 since 2026-10-25 00:15 UTC',
    ],
  },
  {
    name: 'one operation of two is down',
    isHistory: true,
    answer: ({ minute, request }) =>
      minute >= 60 && minute < 90 && request.path.startsWith('/v2') ? down : undefined,
    says: [
      '75 fired page: availability of mainnet: status 503 at history/listV2PoolCandles alone since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'one target of two is down',
    targets: ['mainnet', 'testnet'],
    answer: ({ minute, target }) => (target === 'testnet' && minute >= 60 && minute < 80 ? down : undefined),
    says: [
      '69 fired page: availability of testnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      '83 resolved page: availability of testnet: up again after 20 min',
    ],
  },
  {
    name: 'slow answers',
    ...between(60, 120, { status: 200, body: '[]', took: 1500 }),
    says: [
      '100 fired page: latency of mainnet: slow answers since 2026-10-25 00:15 UTC, and it lasts',
      '120 resolved page: latency of mainnet: fast again after 1 h',
    ],
  },
  {
    name: 'an outage that somebody took',
    hours: 4,
    ...between(60, 180, down),
    acts: { 80: (stage) => stage.acknowledge() },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '80 acknowledged page: availability of mainnet: by kim',
      '180 resolved page: availability of mainnet: up again after 2 h',
    ],
  },
  {
    name: 'an outage over a killed monitor',
    ...between(60, 150, down),
    acts: { 75: (stage) => stage.restart() },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: availability of mainnet (2)',
      '150 resolved page: availability of mainnet: up again after 1 h 30 min',
    ],
  },
  {
    name: 'an outage that began before a killed monitor saw two slots',
    ...between(60, 100, down),
    acts: { 65: (stage) => stage.restart() },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: availability of mainnet',
      '100 resolved page: availability of mainnet: up again after 40 min',
    ],
  },
  {
    name: 'an outage while no monitor ran',
    ...between(60, 90, down),
    acts: { 60: (stage) => stage.restart(30) },
    says: [],
  },
  {
    name: 'an outage that lasts over a suspended monitor',
    hours: 4,
    ...between(60, 180, down),
    acts: { 80: (stage) => stage.suspend(40) },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '120 reminder page: availability of mainnet (3)',
      '180 resolved page: availability of mainnet: up again after 2 h',
    ],
  },
  {
    name: 'slow answers, then none',
    answer: ({ minute }) =>
      minute < 60 || minute >= 150
        ? undefined
        : minute < 120
          ? { status: 200, body: '[]', took: 1500 }
          : { failure: 'timeout', phase: 'wait' },
    says: [
      '100 fired page: latency of mainnet: slow answers since 2026-10-25 00:15 UTC, and it lasts',
      '125 fired page: availability of mainnet: timeout at wait since 2026-10-25 01:15 UTC, and it lasts',
      '130 reminder page: latency of mainnet',
      '150 resolved page: latency of mainnet: fast again after 1 h 30 min',
      '150 resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'an outage that returns after somebody took the one before',
    hours: 4,
    answer: ({ minute }) =>
      (minute >= 60 && minute < 90) || (minute >= 105 && minute < 180) ? down : undefined,
    acts: { 80: (stage) => stage.acknowledge() },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '80 acknowledged page: availability of mainnet: by kim',
      '90 resolved page: availability of mainnet: up again after 30 min',
      '105 fired page: availability of mainnet: status 503 since 2026-10-25 01:00 UTC, and it lasts',
      '135 reminder page: availability of mainnet (2)',
      '180 resolved page: availability of mainnet: up again after 1 h 15 min; it was outage 2 since 2026-10-25 00:15 UTC',
    ],
  },
  {
    name: 'one pool of two is down',
    isHistory: true,
    pools: [1, 2],
    answer: ({ minute, request }) =>
      minute >= 60 && minute < 90 && request.path.includes('/conversionRates/2') ? down : undefined,
    says: [
      '75 fired page: availability of mainnet: status 503 at history/listV2PoolCandles alone since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: availability of mainnet: up again after 30 min',
    ],
  },
];
