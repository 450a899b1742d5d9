import { slotOffset } from '../../plan/slot-plan.ts';
import { periods } from '../october/definition.ts';
import { locations, type SharedLocation, type SharedScript } from './script.ts';

const minute = 60_000;

/** A planned instant of the grid, its number, and the location that has a row of it. */
export type GridSlot = {
  readonly probe: string;
  readonly at: number;
  readonly number: number;
  readonly owner: SharedLocation;
};

/** @param tokens ms between two slots of what runs as often as the budget pays, as the plan has it */
export function expectedGrid(script: SharedScript, tokens: number): GridSlot[] {
  const { begin, over } = script.month;
  return [...steadySlots('tokens', tokens), ...steadySlots('history', periods.history), ...cronSlots()]
    .filter(({ at }) => begin < at && at <= over)
    .map((slot) => ({ ...slot, owner: locations[slot.number % locations.length] ?? 'fra' }))
    .toSorted((one, other) => one.at - other.at);

  function* steadySlots(probe: string, period: number) {
    const offset = Math.floor(slotOffset({ id: `mainnet/${probe}`, location: '', period }) / 1000) * 1000;
    for (let number = Math.floor(begin / period); number * period <= over; number++)
      yield { probe, number, at: number * period + offset };
  }

  /** At 4 and 34 past, numbered from 2020 on. */
  function* cronSlots() {
    const first = Date.UTC(2020, 0, 1);
    for (let number = Math.floor((begin - first) / (30 * minute)); ; number++) {
      const at = first + number * 30 * minute + 4 * minute;
      if (at > over) return;
      yield { probe: 'latest', number, at };
    }
  }
}

/** Is it missed by its owner, who was killed before? */
export function isLost({ at }: Pick<GridSlot, 'at'>, { killed }: SharedScript): boolean {
  return at > killed.from && at <= killed.to;
}
