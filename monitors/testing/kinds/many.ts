import type { TargetReply } from '../scripted-target.ts';
import type { EpisodeScript, KindRequest } from './kind.ts';

const down: TargetReply = { status: 503 };

/** Returns the names of so many targets. */
function named(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `t${String(n).padStart(3, '0')}`);
}

/** Returns a reply for some targets from one minute to another. */
function between(
  from: number,
  to: number,
  isMeant: (target: string) => boolean = () => true,
): Pick<EpisodeScript, 'answer'> {
  return {
    answer: ({ minute, target }: KindRequest) =>
      minute >= from && minute < to && isMeant(target) ? down : undefined,
  };
}

/** Episodes that come and go, and episodes of many targets: one cause is one message. */
export const many: readonly EpisodeScript[] = [
  {
    name: 'fourteen outages in half an hour',
    every: 0.5,
    answer: ({ minute }) => (minute >= 60 && minute < 88 && Math.floor(minute) % 2 === 0 ? down : undefined),
    says: [
      '76 fired page: availability of mainnet: it flaps: 9 outages in 17 min',
      '106 reminder page: availability of mainnet',
      '117 resolved page: availability of mainnet: up again; it flapped since 2026-10-25 00:15 UTC: 14 outages, 14 min in all',
    ],
  },
  {
    name: 'one bad slot in twenty-five for a day',
    hours: 54,
    answer: ({ minute }) =>
      minute >= 600 && minute < 600 + 1740 && Math.floor(minute / 5) % 25 === 0 ? down : undefined,
    says: [
      '1625 fired ticket: availability of mainnet: 3 % of slots fail since 2026-10-25 09:40 UTC, 9 short outages',
      '3006 resolved ticket: availability of mainnet: up again; it flapped since 2026-10-25 09:40 UTC: 14 outages, 1 h 10 min in all',
    ],
  },
  {
    name: 'flapping that becomes an outage',
    every: 0.5,
    answer: ({ minute }) =>
      (minute >= 60 && minute < 80 && Math.floor(minute) % 2 === 0) || (minute >= 80 && minute < 120)
        ? down
        : undefined,
    says: [
      '76 fired page: availability of mainnet: it flaps: 9 outages in 17 min',
      '90 changed page: availability of mainnet, changed after 30 min: status 503 since 2026-10-25 00:35 UTC, and it lasts',
      '120 reminder page: availability of mainnet',
      '120 resolved page: availability of mainnet: up again; it flapped since 2026-10-25 00:15 UTC: 11 outages, 50 min in all',
    ],
  },
  {
    name: 'forty targets of which all are down',
    targets: named(40),
    every: 1,
    ...between(60, 80),
    says: [
      '68 fired page: 21 targets: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '70 changed page: 40 targets, changed after 11 min: 19 more: t000, t002, t003, t004, t008, t010, t013, t015, t017, t019, t021, t024 and 7 more',
      '80 resolved page: 40 targets: up again after 20 min 30 s',
    ],
  },
  {
    name: 'forty targets of which thirty are down later than the others',
    targets: named(40),
    every: 1,
    answer: ({ minute, target }) => (minute >= (target < 't010' ? 60 : 61) && minute < 80 ? down : undefined),
    says: [
      '68 fired page: 5 targets: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '70 changed page: 40 targets, changed after 11 min: 35 more: t000, t002, t003, t004, t008, t011, t012, t014, t016, t018, t020, t022 and 23 more',
      '80 resolved page: 40 targets: up again after 20 min 30 s',
    ],
  },
  {
    name: 'our network is lost to twenty targets',
    targets: named(20),
    every: 1,
    answer: ({ minute }, stage) => {
      stage.doubt =
        minute >= 60 && minute < 70
          ? 'the monitor reaches one.example:443 as little as the target'
          : undefined;
      return minute >= 60 && minute < 70 ? { failure: 'timeout', phase: 'connect' } : undefined;
    },
    says: [
      '62 fired page: the monitor at here: not judged since 2026-10-25 00:14 UTC, 3 slots: the monitor reaches one.example:443 as little as the target (timeout at connect)',
      '64 changed page: the monitor at here, changed after 5 min: 10 more: t000, t002, t003, t004, t008, t010, t013, t015, t017, t019',
      '71 resolved page: the monitor at here: judged again after 11 min',
    ],
  },
  {
    name: 'two targets of one group fail in different ways',
    targets: ['east-1', 'east-2', 'west'],
    every: 1,
    definition: { groups: { 'east-1': 'east', 'east-2': 'east' } },
    answer: ({ minute, target }) => {
      if (minute < 60 || minute >= 80 || target === 'west') return undefined;
      return target === 'east-1' ? down : { failure: 'timeout', phase: 'wait' };
    },
    says: [
      '68 fired page: 2 targets: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '80 resolved page: 2 targets: up again after 20 min',
    ],
  },
  {
    name: 'two targets fail in different ways',
    targets: ['one', 'other'],
    every: 1,
    answer: ({ minute, target }) => {
      if (minute < 60 || minute >= 80) return undefined;
      return target === 'one' ? down : { failure: 'timeout', phase: 'wait' };
    },
    says: [
      '68 fired page: availability of one: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '69 fired page: availability of other: timeout at wait since 2026-10-25 00:15 UTC, and it lasts',
      '80 resolved page: availability of one: up again after 20 min',
      '80 resolved page: availability of other: up again after 20 min',
    ],
  },
  {
    name: 'targets that hang on one that is down',
    targets: ['gateway', 'one', 'other'],
    every: 1,
    definition: { parents: { one: 'gateway', other: 'gateway' } },
    answer: ({ minute, target }) => {
      if (minute < 60 || minute >= 80) return undefined;
      return target === 'gateway'
        ? { failure: 'timeout', phase: 'connect' }
        : minute >= 65
          ? down
          : undefined;
    },
    says: [
      '69 fired page: availability of gateway: timeout at connect since 2026-10-25 00:15 UTC, and it lasts',
      '80 resolved page: 3 targets: up again after 20 min',
    ],
  },
  {
    name: 'a parent that recovers before its child',
    targets: ['gateway', 'one', 'other'],
    every: 1,
    definition: { parents: { one: 'gateway', other: 'gateway' } },
    answer: ({ minute, target }) =>
      minute >= 60 && minute < (target === 'one' ? 110 : 80) ? down : undefined,
    says: [
      '68 fired page: availability of one: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '70 changed page: 3 targets, changed after 11 min: 2 more: gateway, other',
      '85 changed page: availability of one, changed after 26 min: good again: gateway, other',
      '110 resolved page: 3 targets: up again after 50 min',
    ],
  },
  {
    name: 'a child that is down before its parent',
    targets: ['gateway', 'one'],
    every: 1,
    definition: { parents: { one: 'gateway' } },
    answer: ({ minute, target }) =>
      minute >= (target === 'one' ? 60 : 75) && minute < 100 ? down : undefined,
    says: [
      '68 fired page: availability of one: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '84 fired page: availability of gateway: status 503 since 2026-10-25 00:30 UTC, and it lasts',
      '100 resolved page: availability of one: up again after 40 min',
      '100 resolved page: availability of gateway: up again after 25 min',
    ],
  },
  {
    name: 'a group of which one recovers',
    targets: ['east-1', 'east-2', 'west'],
    every: 1,
    definition: { groups: { 'east-1': 'east', 'east-2': 'east' } },
    answer: ({ minute, target }) =>
      minute >= 60 && target !== 'west' && minute < (target === 'east-1' ? 70 : 110) ? down : undefined,
    says: [
      '68 fired page: 2 targets: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '83 changed page: availability of east-2, changed after 24 min: good again: east-1',
      '110 resolved page: 2 targets: up again after 50 min',
    ],
  },
];
