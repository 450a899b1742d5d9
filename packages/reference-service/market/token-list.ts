/** The constant fields of a token. */
export type TokenProfile = {
  /** Three dot-separated integers. */
  readonly id: string;
  /** Relative path to an image. */
  readonly icon: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Tinybars per whole token, around which the price moves. Prices of 1 HBAR and 0 are constant. */
  readonly price: bigint;
  readonly dueDiligenceComplete: boolean;
  readonly isFeeOnTransferToken: boolean;
};

/** Tinybars in one HBAR, which is the constant price of the wrapped HBAR token. */
const ONE_HBAR = 100_000_000n;

const DEFAULT_ICON = '/images/tokens/default.png';

// symbol, decimals, tinybars per whole token
const LISTED: readonly (readonly [string, number, bigint])[] = [
  ['WHBAR', 8, ONE_HBAR],
  ['USDK', 6, 2_074_688_796n],
  ['USDK', 6, 2_071_992_004n],
  ['GOLDEN', 0, 90_895_760_325_000_017n],
  ['DUST', 8, 0n],
  ['GHOST', 2, 0n],
  ['CRUMB', 8, 3n],
  ['MITE', 4, 41n],
  ['WBIT', 8, 217_604_951_830_044n],
  ['WETR', 18, 8_120_665_103_912n],
  ['SAFFRON', 6, 36_806_544n],
  ['MARLIN', 6, 1_204_118_377n],
  ['Ω', 5, 771_204n],
  ['🍲', 8, 15_208n],
  ['東風', 3, 9_960_145n],
  [' PAD ', 8, 500_021n],
  ['ÉCLAIR', 9, 61_300_404n],
  ['quill', 8, 7_700_318n],
  ['QUILL', 8, 7_650_551n],
  ['HARBOR', 8, 88_104_932n],
  ['LANTERN', 8, 4_310_228n],
  ['TIDE', 6, 192_551n],
  ['KELP', 8, 1_800_441n],
  ['REEF', 8, 25_018n],
  ['ANCHOR', 10, 640_903_115n],
  ['COPPER', 12, 10_558_233n],
  ['TIN', 2, 311_870n],
  ['IRON', 8, 5_991_004n],
  ['BASIL', 8, 120_044n],
  ['THYME', 8, 43_310_902n],
  ['FENNEL', 7, 801n],
  ['CEDAR', 8, 1_093_344_120n],
  ['BIRCH', 1, 17_903_447_210n],
  ['MAPLE', 8, 66_021_008n],
  ['ORBIT', 6, 218_844_371n],
  ['COMET', 8, 10_004n],
  ['NOVA', 16, 3_340_115_806n],
  ['QUASAR', 8, 999_999_937n],
  ['PEBBLE', 0, 58_813n],
  ['CAIRN', 8, 404_113_921n],
];

/** The tokens of the simulated market, in list order. */
export const SIMULATED_TOKENS: readonly TokenProfile[] = LISTED.map(([symbol, decimals, price], index) => ({
  id: `0.0.${731_861 + index * 40_013}`,
  icon: index % 3 === 1 ? DEFAULT_ICON : `/images/tokens/${731_861 + index * 40_013}.png`,
  symbol,
  decimals,
  price,
  dueDiligenceComplete: index % 4 === 0,
  isFeeOnTransferToken: index % 13 === 7,
}));

/** Returns the price of a token at `t` in tinybars per whole token: slow waves with a phase for each series. */
export function tokenPrice(profile: TokenProfile, series: number, t: number): bigint {
  if (profile.price === ONE_HBAR || profile.price === 0n) return profile.price;
  const days = t / 86_400;
  const wave = 0.08 * Math.sin(days / (3 + (series % 5)) + series) + 0.02 * Math.sin(days * 5 + series * 7);
  const millionths = BigInt(Math.round(Math.exp(wave) * 1e6));
  const price = (profile.price * millionths) / 1_000_000n;
  return price > 0n ? price : 1n;
}
