import type { TargetReply } from '../scripted-target.ts';
import { begin } from '../truth/episodes.ts';
import { day, minute } from '../watching.ts';
import { type EpisodeScript, planSettings } from './kind.ts';

const both = ['mainnet', 'testnet'] as const;
const down: TargetReply = { status: 503 };

const wrongForAnHour: EpisodeScript['acts'] = {
  60: ({ off }) => {
    off.mainnet = 90_000;
  },
  120: ({ off }) => {
    off.mainnet = 0;
  },
};

/** Clocks: theirs, ours, and ours as it is set. */
export const clocks: readonly EpisodeScript[] = [
  {
    name: 'the clock of one target of two is wrong',
    targets: both,
    acts: wrongForAnHour,
    says: [
      '61 fired ticket: mainnet: its Date is 90 s ahead of our clock, and testnet agrees with us',
      '121 resolved ticket: mainnet: its Date is the time again after 60 min',
    ],
  },
  {
    name: 'the clock of the only target is wrong',
    acts: wrongForAnHour,
    says: [
      '61 fired ticket: mainnet: its Date is 90 s ahead of our clock, and no other target tells which is wrong',
      '121 resolved ticket: mainnet: its Date is the time again after 60 min',
    ],
  },
  {
    name: 'our clock is set ahead and back',
    targets: both,
    acts: { 60: (stage) => stage.setClock(10 * minute), 90: (stage) => stage.setClock(-10 * minute) },
    says: [
      '60 fired ticket: the monitor at here: our clock is 600 s ahead: the Dates of mainnet and testnet agree against it',
      '90 resolved ticket: the monitor at here: its clock agrees with the targets again after 30 min',
    ],
  },
  {
    name: 'our clock is set back by three quarters of an hour',
    targets: both,
    hours: 4,
    acts: { 60: (stage) => stage.setClock(-45 * minute), 120: (stage) => stage.setClock(45 * minute) },
    says: [
      '60 fired ticket: the monitor at here: our clock is 2700 s behind: the Dates of mainnet and testnet agree against it',
      '120 resolved ticket: the monitor at here: its clock agrees with the targets again after 60 min',
    ],
  },
  {
    name: 'our clock is set during an outage',
    hours: 4,
    answer: ({ minute: at }) => (at >= 60 && at < 120 ? down : undefined),
    acts: { 80: (stage) => stage.setClock(5000), 90: (stage) => stage.setClock(-5000) },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: availability of mainnet',
      '120 resolved page: availability of mainnet: up again after 1 h',
    ],
  },
  {
    name: 'our clock is set by two seconds',
    targets: both,
    acts: { 60: (stage) => stage.setClock(2000) },
    says: [],
  },
  {
    name: 'our clock is set while a target flaps',
    every: 0.5,
    answer: ({ minute: at }) => (at >= 60 && at < 88 && Math.floor(at) % 2 === 0 ? down : undefined),
    acts: { 75: (stage) => stage.setClock(5 * minute) },
    says: [
      '75 fired ticket: mainnet: its Date is 300 s behind our clock, and no other target tells which is wrong',
      '76 fired page: availability of mainnet: it flaps: 9 outages in 17 min',
      '106 reminder page: availability of mainnet',
      '117 resolved page: availability of mainnet: up again; it flapped since 2026-10-25 00:20 UTC: 14 outages, 14 min in all',
    ],
  },
];

/** Certificates that end. */
export const certificates: readonly EpisodeScript[] = [
  {
    name: 'a certificate that ends in a year',
    acts: planSettings({ 1: { certificateEnd: begin + 365 * day } }),
    says: [],
  },
  {
    name: 'a certificate that ends in three weeks, and is renewed',
    acts: planSettings({
      1: { certificateEnd: begin + 20 * day },
      120: { certificateEnd: begin + 90 * day },
    }),
    says: [
      '6 fired ticket: mainnet: its certificate ends 2026-11-13 23:15 UTC, in 20 days',
      '121 resolved ticket: mainnet: its certificate was renewed, after 115 min',
    ],
  },
  {
    name: 'a certificate that ends in eight days',
    hours: 30,
    acts: planSettings({ 1: { certificateEnd: begin + 8 * day } }),
    says: [
      '6 fired ticket: mainnet: its certificate ends 2026-11-01 23:15 UTC, in 8 days',
      '720 changed ticket: mainnet, changed after 12 h: its certificate ends 2026-11-01 23:15 UTC, in 7 days',
    ],
  },
  {
    name: 'a certificate that ends in a day',
    acts: planSettings({ 1: { certificateEnd: begin + day } }),
    says: ['6 fired page: mainnet: its certificate ends 2026-10-25 23:15 UTC, in 1 day'],
  },
  {
    name: 'a certificate that ends during an outage, and is renewed after it',
    hours: 4,
    answer: ({ minute: at }) =>
      at < 60 || at >= 150 ? undefined : at < 90 ? down : { failure: 'certificate', phase: 'tls' },
    acts: planSettings({
      1: { certificateEnd: begin + 90 * minute },
      150: { certificateEnd: begin + 90 * day },
    }),
    says: [
      '6 fired page: mainnet: its certificate ends 2026-10-25 00:45 UTC, in 1 h 24 min',
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: availability of mainnet (2)',
      '150 resolved page: availability of mainnet: up again after 1 h 30 min',
      '151 resolved page: mainnet: its certificate was renewed, after 2 h',
    ],
  },
  {
    name: 'one certificate of two targets that ends in three weeks',
    targets: both,
    acts: planSettings({ 1: { certificateEnd: begin + 20 * day } }),
    says: [
      '4 fired ticket: testnet: its certificate ends 2026-11-13 23:15 UTC, in 20 days',
      '6 changed ticket: 2 targets, changed after 3 min: 1 more: mainnet',
    ],
  },
];
