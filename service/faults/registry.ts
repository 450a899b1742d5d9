import { doubleCharge, keylessLatest, resetInSeconds } from './access.ts';
import type { Fault } from './fault.ts';
import { inversionKeepsExtremes, swappedExtremes, undividedAverage } from './prices.ts';
import { dailyVolumeTwice, latestIsClosed, noonIsMissing, staleLatest } from './rows.ts';
import { duplicateKey, missingLiquidityUsd, numericVolume } from './schema.ts';

/** Every fault the service can be started with, by ascending number. */
export const FAULTS: readonly Fault[] = [
  missingLiquidityUsd,
  numericVolume,
  duplicateKey,
  swappedExtremes,
  undividedAverage,
  noonIsMissing,
  staleLatest,
  latestIsClosed,
  inversionKeepsExtremes,
  dailyVolumeTwice,
  keylessLatest,
  doubleCharge,
  resetInSeconds,
];

/** A fault was asked for that the catalogue does not hold. */
export class UnknownFault extends Error {
  override readonly name = 'UnknownFault';
}

/** The fault of this name or F-number, whatever its case. Throws UnknownFault, which lists the known ones. */
export function faultOf(nameOrNumber: string): Fault {
  const wanted = nameOrNumber.toLowerCase();
  const found = FAULTS.find((each) => each.id === wanted || each.number.toLowerCase() === wanted);
  if (found) return found;
  const known = FAULTS.map((each) => `${each.number} ${each.id}`).join(', ');
  throw new UnknownFault(`There is no fault "${nameOrNumber}"; known are ${known}.`);
}
