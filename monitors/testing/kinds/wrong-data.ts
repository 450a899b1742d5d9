import { begin } from '../truth/episodes.ts';
import { servedCandles } from '../truth/served-candles.ts';
import { type EpisodeScript, planSettings } from './kind.ts';

const hour = 3600;
const first = Math.floor(begin / 3_600_000) * hour;
const notJson = { status: 200, body: '[1,]' } as const;

/** Serves another past from one minute to another. */
export function pastFrom(
  from: number,
  past: Parameters<NonNullable<EpisodeScript['answer']>>[1]['past'],
  to?: number,
): Pick<EpisodeScript, 'isHistory' | 'acts'> {
  return {
    isHistory: true,
    acts: planSettings({ [from]: { past }, ...(to !== undefined && { [to]: { past: {} } }) }),
  };
}

/** Answers that are wrong, and a past that does not stay. */
export const wrongData: readonly EpisodeScript[] = [
  {
    name: 'an answer that is no JSON',
    answer: ({ minute }) => (minute >= 60 && minute < 90 ? notJson : undefined),
    says: [
      '65 fired page: correctness of mainnet: breaks transport/strict-json since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: correctness of mainnet: correct again after 30 min',
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
    says: ['60 fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'a candle that is corrected and put back',
    ...pastFrom(60, { isCorrected: true }, 90),
    says: ['60 fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'one candle that vanished',
    ...pastFrom(60, { isGone: (start) => start === first - 6 * hour }),
    says: ['60 fired ticket: mainnet: a closed candle changed after having been seen'],
  },
  {
    name: 'three candles that vanished',
    ...pastFrom(60, { isGone: (start) => start >= first - 8 * hour && start < first - 5 * hour }),
    says: [
      '60 fired ticket: mainnet: 3 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '105 reminder page: correctness of mainnet (3)',
    ],
  },
  {
    name: 'another past for half an hour',
    ...pastFrom(60, { isReplaced: true }, 90),
    says: [
      '60 fired ticket: mainnet: 47 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'another past for good',
    hours: 27,
    ...pastFrom(60, { isReplaced: true }),
    says: [
      '60 fired ticket: mainnet: 47 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '105 reminder page: correctness of mainnet (47)',
      '1500 resolved page: correctness of mainnet: correct again after 1 d',
      '1500 fired ticket: mainnet: the other past was served for a day, and later slots are compared with it',
    ],
  },
  {
    name: 'half of the past gone while its alert stands',
    isHistory: true,
    acts: planSettings({
      60: { past: { isReplaced: true } },
      90: { past: { isReplaced: true, isGone: (start) => start < first - 20 * hour } },
    }),
    says: [
      '60 fired ticket: mainnet: 47 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '90 changed page: correctness of mainnet, changed after 30 min: half of the past is gone: 25 of 46 closed candles vanished',
      '120 reminder page: correctness of mainnet (3)',
    ],
  },
  {
    name: 'a second broken rule while the first lasts',
    ...pastFrom(60, { isReplaced: true }),
    answer: ({ minute, request }) => (minute >= 100 && !request.path.startsWith('/v2') ? notJson : undefined),
    says: [
      '60 fired ticket: mainnet: 47 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '100 changed page: correctness of mainnet, changed after 41 min: it breaks transport/strict-json as well',
      '130 reminder page: correctness of mainnet (2)',
    ],
  },
  {
    name: 'a history without a candle',
    hours: 4,
    isHistory: true,
    answer: ({ minute, request }) =>
      minute >= 60 && request.path.startsWith('/v2') ? { status: 200, body: '[]' } : undefined,
    says: [
      '180 fired ticket: mainnet: 45 closed candles changed after having been seen; half of the past is gone: 45 of 45 closed candles vanished',
      '195 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 02:15 UTC, and it lasts',
      '225 reminder page: correctness of mainnet',
    ],
  },
  {
    name: 'wrong answers, then none',
    answer: ({ minute }) =>
      minute < 60 || minute >= 120 ? undefined : minute < 90 ? notJson : { status: 503 },
    says: [
      '65 fired page: correctness of mainnet: breaks transport/strict-json since 2026-10-25 00:15 UTC, and it lasts',
      '95 reminder page: correctness of mainnet',
      '95 fired page: availability of mainnet: status 503 since 2026-10-25 00:45 UTC, and it lasts',
      '120 resolved page: correctness of mainnet: correct again after 1 h',
      '120 resolved page: availability of mainnet: up again after 30 min',
    ],
  },
  {
    name: 'a history of which one pool of two is cut short',
    isHistory: true,
    pools: [1, 2],
    answer: ({ minute, request }, { clock }) =>
      minute >= 60 && minute < 90 && request.path.includes('/conversionRates/2')
        ? {
            status: 200,
            body: servedCandles(request.path, clock.steady(), {
              isGone: (start) => start < first - 20 * hour,
            }).body,
          }
        : undefined,
    says: [
      '60 fired ticket: mainnet: 26 closed candles changed after having been seen',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'wrong answers of one operation while the other is down',
    isHistory: true,
    answer: ({ minute, request }) =>
      minute < 60 || minute >= 100 ? undefined : request.path.startsWith('/v2') ? { status: 503 } : notJson,
    says: [
      '75 fired page: availability of mainnet: status 503 at history/listV2PoolCandles alone since 2026-10-25 00:15 UTC, and it lasts',
      '77 changed page: availability of mainnet, changed after 17 min: it breaks transport/strict-json as well',
      '100 resolved page: availability of mainnet: up again after 40 min 30 s',
    ],
  },
];
