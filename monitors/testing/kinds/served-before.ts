import type { TargetReply } from '../scripted-target.ts';
import { servedLatest } from '../truth/served-candles.ts';
import type { EpisodeScript } from './kind.ts';

/** Returns a list of tokens with these ids. */
function makeList(...ids: readonly string[]): TargetReply {
  const rest = { symbol: 'HBAR', decimals: 8, price: '100000000', priceUsd: 0.05, icon: '/images/a.png' };
  const flags = { dueDiligenceComplete: true, isFeeOnTransferToken: false };
  return { status: 200, body: JSON.stringify(ids.map((id) => ({ id, ...rest, ...flags }))) };
}

const both = makeList('0.0.1', '0.0.2');

/** Serves a latest candle of another price from one minute to another. */
function priced(price: number, from: number, to: number): Pick<EpisodeScript, 'isLatest' | 'answer'> {
  return {
    isLatest: true,
    answer: ({ minute, request }, { clock }) =>
      request.path.includes('/latest/') && minute >= from && minute < to
        ? { status: 200, body: servedLatest(clock.steady(), price) }
        : undefined,
  };
}

/** Answers that are only wrong beside what was served before. */
export const servedBefore: readonly EpisodeScript[] = [
  {
    name: 'prices a thousand times too high in the newest candle for six slots',
    ...priced(50, 60, 90),
    says: [
      '76 fired page: correctness of mainnet: the latest price is 1000 times the one before since 2026-10-25 00:16 UTC, and it lasts',
      '91 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  { name: 'a price that doubles', ...priced(0.1, 60, 200), says: [] },
  {
    name: 'a list of tokens that is empty',
    answer: ({ minute, request }) =>
      request.path === '/tokens' && (minute < 60 || minute >= 90) ? both : undefined,
    says: [
      '65 fired page: correctness of mainnet: breaks tokens/list-is-filled since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'a token that vanishes',
    answer: ({ minute }) => (minute < 60 ? both : makeList('0.0.1')),
    says: ['65 fired ticket: mainnet: a token vanished from its list: 0.0.2'],
  },
  {
    name: 'a token that one look misses, and another that comes',
    answer: ({ minute }) =>
      minute < 60 ? both : minute < 65 ? makeList('0.0.1') : makeList('0.0.1', '0.0.2', '0.0.3'),
    says: [],
  },
  {
    name: 'a price that falls to a thousandth for half an hour',
    ...priced(0.000_05, 60, 90),
    says: [
      '76 fired page: correctness of mainnet: the latest price is 0.001 times the one before since 2026-10-25 00:16 UTC, and it lasts',
      '91 resolved page: correctness of mainnet: correct again after 30 min',
    ],
  },
  {
    name: 'a price a thousand times too high for good',
    hours: 27,
    ...priced(50, 60, 9999),
    says: [
      '76 fired page: correctness of mainnet: the latest price is 1000 times the one before since 2026-10-25 00:16 UTC, and it lasts',
      '106 reminder page: correctness of mainnet (47)',
      '1501 resolved page: correctness of mainnet: correct again after 1 d',
      '1501 fired ticket: mainnet: the other price was served for a day, and later slots are compared with it',
    ],
  },
  {
    name: 'a price a thousand times another one after an outage of three hours',
    hours: 6,
    isLatest: true,
    answer: ({ minute, request }, { clock }) => {
      if (minute < 60) return undefined;
      if (minute < 240) return { status: 503 };
      return request.path.includes('/latest/')
        ? { status: 200, body: servedLatest(clock.steady(), 50) }
        : undefined;
    },
    says: [
      '66 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '96 reminder page: availability of mainnet (5)',
      '241 resolved page: availability of mainnet: up again after 3 h',
    ],
  },
];
