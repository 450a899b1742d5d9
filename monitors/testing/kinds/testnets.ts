import { begin } from '../truth/episodes.ts';
import { servedLatest } from '../truth/served-candles.ts';
import { type EpisodeScript, planSettings } from './kind.ts';
import { pastFrom } from './wrong-data.ts';

const hour = 3600;
const first = Math.floor(begin / 3_600_000) * hour;

/** Test networks, which may begin anew. */
export const testnets: readonly EpisodeScript[] = [
  {
    name: 'a network that is reset',
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour }),
    hours: 6,
    says: ['165 fired ticket: mainnet: a new network: nothing of its past is left'],
  },
  {
    name: 'a network that is reset twice',
    hours: 9,
    isHistory: true,
    acts: planSettings({
      120: { past: { isGone: (start) => start < first + 2 * hour } },
      360: { past: { isGone: (start) => start < first + 6 * hour } },
    }),
    says: ['165 fired ticket: mainnet: a new network: nothing of its past is left'],
  },
  {
    name: 'an answer that is cut short',
    ...pastFrom(60, { isGone: (start) => start < first - hour }, 90),
    says: [
      '60 fired ticket: mainnet: 45 closed candles changed after having been seen; half of the past is gone: 45 of 47 closed candles vanished',
      '75 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'a reset during an outage',
    hours: 6,
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour }),
    answer: ({ minute }) => (minute >= 100 && minute < 190 ? { status: 503 } : undefined),
    says: [
      '105 fired page: availability of mainnet: status 503 since 2026-10-25 00:55 UTC, and it lasts',
      '135 reminder page: availability of mainnet (2)',
      '190 resolved page: availability of mainnet: up again after 1 h 30 min',
      '195 fired ticket: mainnet: a new network: nothing of its past is left',
    ],
  },
  {
    name: 'a network that is reset, with latest prices a thousand times those of before',
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour, price: 50 }),
    hours: 6,
    isLatest: true,
    answer: ({ minute, request }, { clock }) =>
      minute >= 120 && request.path.includes('/latest/')
        ? { status: 200, body: servedLatest(clock.steady(), 50) }
        : undefined,
    says: ['165 fired ticket: mainnet: a new network: nothing of its past is left'],
  },
  {
    name: 'a main network whose past is gone',
    ...pastFrom(120, { isGone: (start) => start < first + 2 * hour }),
    hours: 6,
    isMain: true,
    says: [
      '120 fired ticket: mainnet: 47 closed candles changed after having been seen; half of the past is gone: 47 of 47 closed candles vanished',
      '135 changed page: correctness of mainnet, changed after 15 min: breaks history/closed-candles-stay since 2026-10-25 01:15 UTC, and it lasts',
      '165 reminder page: correctness of mainnet (7)',
    ],
  },
];
