import { begin } from '../truth/episodes.ts';
import { day } from '../watching.ts';
import type { EpisodeScript } from './kind.ts';

const roomy = { limit: 1_000_000 };

/** Counters of a key that do not count what was sent. */
export const counters: readonly EpisodeScript[] = [
  {
    name: 'each request is counted twice',
    month: { ...roomy, used: 1000 },
    answer: ({ minute }, { month }) => {
      if (minute >= 60) month.used += 1;
      return undefined;
    },
    says: [
      '60 fired ticket: key main: 1 requests were made with it that are not ours, as many as our own: each may be counted twice',
      '105 changed ticket: key main, changed after 45 min: 9 requests were made with it that are not ours, as many as our own: each may be counted twice; 10 in all',
    ],
  },
  {
    name: 'each request is counted twice, after a pause as soon after another one',
    month: { ...roomy, used: 1000 },
    every: 0.5,
    answer: ({ minute }, { month }) => {
      if (minute >= 60) month.used += 1;
      return undefined;
    },
    acts: { 62: (stage) => stage.suspend(10) },
    says: [
      '60 fired ticket: key main: 1 requests were made with it that are not ours, as many as our own: each may be counted twice',
      '72 fired ticket: key main: each request is counted 2 times; 5 that were reported as made by others were ours',
    ],
  },
  {
    name: 'counters that are freed in the middle of a month',
    month: { ...roomy, used: 40_000 },
    acts: {
      60: ({ month }) => {
        month.used = 0;
      },
    },
    says: ['60 fired ticket: key main: its counters went back by 40011 requests'],
  },
  {
    name: 'requests that are not counted',
    month: { ...roomy, used: 40_000 },
    answer: ({ minute }, { month }) => {
      if (minute >= 60) month.used -= 1;
      return undefined;
    },
    says: [
      '60 fired ticket: key main: 1 requests of ours were not counted',
      '105 changed ticket: key main, changed after 45 min: 9 requests of ours were not counted; 10 in all',
    ],
  },
  {
    name: 'a reset that moves to and fro',
    month: { ...roomy, used: 40_000 },
    answer: ({ minute, count }, { month }) => {
      if (minute >= 60) month.reset += count % 2 === 0 ? day : -day;
      return undefined;
    },
    says: ['60 fired ticket: key main: its reset is 1 d earlier than before'],
  },
  {
    name: 'a reset that is a day earlier',
    month: { ...roomy, used: 40_000 },
    acts: {
      60: ({ month }) => {
        month.reset -= day;
      },
    },
    says: ['60 fired ticket: key main: its reset is 1 d earlier than before'],
  },
  {
    name: 'a reset that moves on with each answer',
    month: { ...roomy, used: 40_000 },
    answer: (_, { clock, month }) => {
      month.reset = clock.steady() + 30 * day;
      return undefined;
    },
    says: ['5 fired ticket: key main: its reset moves on before it is reached'],
  },
  {
    name: 'a reset that passes without effect',
    hours: 4,
    month: { ...roomy, used: 40_000, reset: begin + day / 24 - 1 },
    says: ['65 fired ticket: key main: its reset is overdue'],
  },
  {
    name: 'a month whose requests are kept over its reset',
    hours: 4,
    month: { ...roomy, used: 40_000, reset: begin + day / 24 - 1 },
    acts: {
      60: ({ month }) => {
        month.reset += 30 * day;
      },
    },
    says: ['60 fired ticket: key main: 40012 requests were kept over its reset'],
  },
];
