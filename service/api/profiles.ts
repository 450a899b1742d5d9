import { MAINNET, type Market, TESTNET } from '../market/markets.ts';
import type { Network } from '../store/accounts.ts';
import type { Choices } from './choices.ts';
import type { Distortion } from './distortion.ts';
import type { JsonObject } from './message.ts';

/**
 * Whose behaviour the service shows: the document's to the letter, that of the live API where it is known to
 * depart from the document, or that of its test network.
 */
export const PROFILES = ['documented', 'observed', 'testnet'] as const;

export type Profile = (typeof PROFILES)[number];

/** What a profile comes down to. Choices of the caller and faults come on top of it. */
export type ProfileShape = {
  readonly choices: Partial<Choices>;
  readonly distortions: readonly Distortion[];
  readonly market: Market;
  readonly network: Network;
};

const IMAGES = 'https://images.example';

/** Sums over time that nobody divides, and tokens with icons and flags of other types than documented. */
const asObserved: Distortion = {
  candle: (candle) => ({
    ...candle,
    avg: candle.close * (candle.timestampSeconds - candle.startTimestampSeconds),
  }),
  tokens: (tokens) => tokens.map(observedToken),
};

export const SHAPE: Readonly<Record<Profile, ProfileShape>> = {
  documented: { choices: {}, distortions: [], market: MAINNET, network: 'mainnet' },
  observed: {
    choices: { openEnd: 'last-sample', extraFields: true, quotaZone: 'Etc/GMT+4' },
    distortions: [asObserved],
    market: MAINNET,
    network: 'mainnet',
  },
  testnet: { choices: { keyRequired: false }, distortions: [], market: TESTNET, network: 'testnet' },
};

function observedToken(token: JsonObject, index: number): JsonObject {
  return {
    ...token,
    icon: index % 2 === 0 ? null : `${IMAGES}${token.icon}`,
    dueDiligenceComplete: Number(token.dueDiligenceComplete),
    isFeeOnTransferToken: Number(token.isFeeOnTransferToken),
  };
}
