import { begin } from '../truth/episodes.ts';
import type { EpisodeScript } from './kind.ts';

const hour = 3600;
const first = Math.floor(begin / 3_600_000) * hour;
const notJson = { status: 200, body: '[1,]' } as const;

/** Serves another past from one minute to another. */
function pastFrom(
  from: number,
  past: Parameters<NonNullable<EpisodeScript['answer']>>[1]['past'],
  to?: number,
): Pick<EpisodeScript, 'isHistory' | 'acts'> {
  return {
    isHistory: true,
    acts: {
      [from]: (stage) => {
        stage.past = past;
      },
      ...(to !== undefined && {
        [to]: (stage) => {
          stage.past = {};
        },
      }),
    },
  };
}

/** Answers that are wrong, and a past that does not stay. */
export const wrongData: readonly EpisodeScript[] = [
  {
    name: 'an answer that is no JSON',
    answer: ({ minute }) => (minute >= 60 && minute < 90 ? notJson : undefined),
    says: [
      'fired page: correctness of mainnet: breaks transport/strict-json since 2026-10-25 00:15 UTC, and it lasts',
      'resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'one wrong answer',
    answer: ({ minute }) => (minute >= 60 && minute < 65 ? notJson : undefined),
    says: [],
  },
  {
    name: 'one corrected candle',
    ...pastFrom(60, { isCorrected: true }),
    says: ['fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'a candle that is corrected and put back',
    ...pastFrom(60, { isCorrected: true }, 90),
    says: ['fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'one candle that vanished',
    ...pastFrom(60, { isGone: (start) => start === first - 6 * hour }),
    says: ['fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'three candles that vanished',
    ...pastFrom(60, { isGone: (start) => start >= first - 8 * hour && start < first - 5 * hour }),
    says: [
      'fired ticket: mainnet: 3 closed candles changed after having been seen',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'reminder page: correctness of mainnet (3)',
    ],
  },
  {
    name: 'another past for half an hour',
    ...pastFrom(60, { isReplaced: true }, 90),
    says: [
      'fired ticket: mainnet: 47 closed candles changed after having been seen',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'another past for good',
    hours: 27,
    ...pastFrom(60, { isReplaced: true }),
    says: [
      'fired ticket: mainnet: 47 closed candles changed after having been seen',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'reminder page: correctness of mainnet (47)',
      'resolved page: correctness of mainnet: correct again after 1 d',
      'fired ticket: mainnet: the other past was served for a day, and later slots are compared with it',
    ],
  },
  {
    name: 'half of the past gone while its alert stands',
    isHistory: true,
    acts: {
      60: (stage) => {
        stage.past = { isReplaced: true };
      },
      90: (stage) => {
        stage.past = { isReplaced: true, isGone: (start) => start < first - 20 * hour };
      },
    },
    says: [
      'fired ticket: mainnet: 47 closed candles changed after having been seen',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'changed page: correctness of mainnet, changed after 30 min: half of the past is gone: 25 of 46 closed candles vanished',
      'reminder page: correctness of mainnet (3)',
    ],
  },
  {
    name: 'a second broken rule while the first lasts',
    ...pastFrom(60, { isReplaced: true }),
    answer: ({ minute, request }) => (minute >= 100 && !request.path.startsWith('/v2') ? notJson : undefined),
    says: [
      'fired ticket: mainnet: 47 closed candles changed after having been seen',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'changed page: correctness of mainnet, changed after 41 min: it breaks transport/strict-json as well',
      'reminder page: correctness of mainnet (2)',
    ],
  },
  {
    name: 'a history without a candle',
    hours: 4,
    isHistory: true,
    answer: ({ minute, request }) =>
      minute >= 60 && request.path.startsWith('/v2') ? { status: 200, body: '[]' } : undefined,
    says: [
      'fired ticket: mainnet: 45 closed candles changed after having been seen; half of the past is gone: 45 of 45 closed candles vanished',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 02:15 UTC, and it lasts',
      'reminder page: correctness of mainnet',
    ],
  },
  {
    name: 'wrong answers, then none',
    answer: ({ minute }) =>
      minute < 60 || minute >= 120 ? undefined : minute < 90 ? notJson : { status: 503 },
    says: [
      'fired page: correctness of mainnet: breaks transport/strict-json since 2026-10-25 00:15 UTC, and it lasts',
      'reminder page: correctness of mainnet',
      'fired page: availability of mainnet: status 503 since 2026-10-25 00:45 UTC, and it lasts',
      'resolved page: correctness of mainnet: correct again after 1 h',
      'resolved page: availability of mainnet: up again after 30 min',
    ],
  },
];

/** Test networks, which may begin anew. */
export const testnets: readonly EpisodeScript[] = [
  {
    name: 'a network that is reset',
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour }),
    hours: 6,
    says: ['fired ticket: mainnet: a new network: nothing of its past is left'],
  },
  {
    name: 'a network that is reset twice',
    hours: 9,
    isHistory: true,
    acts: {
      120: (stage) => {
        stage.past = { isGone: (start) => start < first + 2 * hour };
      },
      360: (stage) => {
        stage.past = { isGone: (start) => start < first + 6 * hour };
      },
    },
    says: ['fired ticket: mainnet: a new network: nothing of its past is left'],
  },
  {
    name: 'an answer that is cut short',
    ...pastFrom(60, { isGone: (start) => start < first - hour }, 90),
    says: [
      'fired ticket: mainnet: 45 closed candles changed after having been seen; half of the past is gone: 45 of 47 closed candles vanished',
      'changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      'resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'a reset during an outage',
    hours: 6,
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour }),
    answer: ({ minute }) => (minute >= 100 && minute < 190 ? { status: 503 } : undefined),
    says: [
      'fired page: availability of mainnet: status 503 since 2026-10-25 00:55 UTC, and it lasts',
      'reminder page: availability of mainnet (2)',
      'resolved page: availability of mainnet: up again after 1 h 30 min',
      'fired ticket: mainnet: a new network: nothing of its past is left',
    ],
  },
];
