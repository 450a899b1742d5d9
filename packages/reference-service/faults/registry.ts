import type { Distortion } from '../api/distortion.ts';
import { averageFaults } from './averages.ts';
import { bucketFaults } from './buckets.ts';
import { cacheFaults } from './caches.ts';
import { counterFaults } from './counters.ts';
import { errorFaults } from './errors.ts';
import { extremeFaults } from './extremes.ts';
import type { Fault } from './fault.ts';
import { jsonFaults, schemaFaults } from './form.ts';
import { gapFaults } from './gaps.ts';
import { inversionFaults } from './inversion.ts';
import { keyBypassFaults } from './key-bypasses.ts';
import { keyFaults } from './keys.ts';
import { latestFaults, pastFaults } from './latest.ts';
import { openRowFaults } from './open-rows.ts';
import { poolFaults } from './pool-faults.ts';
import { quotaFaults } from './quota-faults.ts';
import { intervalFaults, rangeFaults } from './ranges.ts';
import { scalingFaults } from './scaling.ts';
import { textFaults } from './texts.ts';
import { timeFaults } from './times.ts';
import { tokenFaults } from './tokens.ts';
import { transportFaults } from './transport.ts';
import { typeFaults } from './types.ts';
import { volumeFaults } from './volumes.ts';

/** All faults that the service can be started with, by number. */
export const FAULTS: readonly Fault[] = [
  ...[schemaFaults, typeFaults, textFaults, jsonFaults, intervalFaults].flat(),
  ...[extremeFaults, averageFaults, bucketFaults, timeFaults].flat(),
  ...[rangeFaults, gapFaults, openRowFaults, poolFaults, latestFaults, inversionFaults].flat(),
  ...[scalingFaults, volumeFaults, pastFaults, tokenFaults].flat(),
  ...[
    keyFaults,
    keyBypassFaults,
    transportFaults,
    quotaFaults,
    counterFaults,
    cacheFaults,
    errorFaults,
  ].flat(),
].sort((a, b) => place(a) - place(b));

/** Thrown for a fault that is not in the catalogue, or a size that it does not have. */
export class UnknownFault extends Error {
  override readonly name = 'UnknownFault';
}

/** A fault in one of its sizes. */
export type ChosenFault = {
  readonly fault: Fault;
  /** Undefined for the usual size. */
  readonly size?: number;
};

/**
 * Parses a name or F-number, case-insensitive, with an optional size after a colon: `F60`, `F60:600`,
 * `stale-latest:600`. Throws UnknownFault.
 */
export function parseFault(text: string): ChosenFault {
  const [name = '', ...rest] = text.split(':');
  const fault = findFault(name);
  if (rest.length === 0) return { fault };
  if (!fault.sizes) {
    throw new UnknownFault(`${fault.number} ${fault.id} has no size: say "${name}" instead of "${text}".`);
  }
  const { unit, usual } = fault.sizes;
  const size = rest.join(':').trim();
  if (Number(size) > 0 && Number.isFinite(Number(size))) return { fault, size: Number(size) };
  const example = `a number above 0, such as ${fault.number}:${usual}`;
  throw new UnknownFault(`"${text}": the size of ${fault.number} ${fault.id} (${unit}) is ${example}.`);
}

/** Makes a distortion with fresh state. */
export function makeDistortion({ fault, size }: ChosenFault): Distortion {
  return fault.make(size ?? fault.sizes?.usual ?? 0);
}

function findFault(nameOrNumber: string): Fault {
  const wanted = nameOrNumber.trim().toLowerCase();
  const found = FAULTS.find((fault) => fault.id === wanted || fault.number.toLowerCase() === wanted);
  if (found) return found;
  const words = wanted.split('-');
  const alike = FAULTS.filter(({ id }) => id.split('-').some((word) => words.includes(word)));
  const examples = (alike.length > 0 ? alike : FAULTS.filter(({ number }) => number === 'F31')).slice(0, 5);
  const known = examples.map(({ number, id }) => `${number} ${id}`).join(', ');
  throw new UnknownFault(
    `there is no fault "${nameOrNumber}": give a number or a name, such as ${known}; there are ${FAULTS.length}.`,
  );
}

function place({ number }: Fault): number {
  return Number.parseInt(number.slice(1), 10) + (number.endsWith('b') ? 0.5 : 0);
}

/** The faults of a running service that are on; they can change between requests. */
export class SwitchedFaults {
  #on: readonly string[] = [];
  #distortions: readonly Distortion[] = [];

  /** Accepts names or F-numbers with optional size, such as `F60:600`. Throws UnknownFault. */
  constructor(wanted: readonly string[]) {
    this.switch(wanted);
  }

  /** Names of the faults that are on, in the given order, with the size if one was given. */
  get on(): readonly string[] {
    return this.#on;
  }

  get distortions(): readonly Distortion[] {
    return this.#distortions;
  }

  /**
   * Turns on exactly these faults, with fresh state. Throws UnknownFault and then changes nothing.
   */
  switch(wanted: readonly string[]): void {
    const chosen = wanted.map(parseFault);
    this.#on = chosen.map(formatChosen);
    this.#distortions = chosen.map(makeDistortion);
  }
}

function formatChosen({ fault, size }: ChosenFault): string {
  return size === undefined ? fault.id : `${fault.id}:${size}`;
}
