import type { Example } from '@candleproof/law/judge/verdict';
import type { DrawnCandle, MissingSlot, Picture } from '@candleproof/law/rules/breach';
import { moveAddress } from '@candleproof/law/rules/breach';

/** A missing candle with the address that it would have. */
export type PlacedSlot = MissingSlot & { readonly address?: string };

/** A picture whose candles, gaps and missing candles have their addresses. */
export type PlacedPicture = Omit<Picture, 'missing' | 'strip'> & {
  readonly missing?: readonly PlacedSlot[];
  readonly strip?: Omit<NonNullable<Picture['strip']>, 'gaps'> & { readonly gaps: readonly PlacedSlot[] };
};

/** Gives each candle of a series its address, which differs from a known one in its start alone. */
export function addressAll<Slot extends MissingSlot & { readonly address?: string }>(
  slots: readonly Slot[],
  known: string | undefined,
): Slot[] {
  return slots.map((slot) =>
    known === undefined ? slot : { address: moveAddress(known, slot.start), ...slot },
  );
}

/** Returns what an example draws, with addresses: a run keeps that of the candle in question and of those of other series. */
export function addressExample({ address, candles = [], picture = {} }: Example): {
  readonly candles: readonly DrawnCandle[];
  readonly picture: PlacedPicture;
} {
  const { missing, strip, other, ...others } = picture;
  return {
    candles: addressAll(candles, address),
    picture: {
      ...others,
      ...(missing && { missing: addressAll<PlacedSlot>(missing, address) }),
      ...(strip && { strip: { ...strip, gaps: addressAll<PlacedSlot>(strip.gaps, address) } }),
      ...(other && { other: { ...other, candles: addressAll(other.candles, other.address) } }),
    },
  };
}
