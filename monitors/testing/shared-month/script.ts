import { type ScriptedSpan, month as whole } from '../october/script.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const locations = ['fra', 'nyc', 'syd'] as const;
export type SharedLocation = (typeof locations)[number];

/** The events in the last days of the month of a key that three locations share. */
export type SharedScript = {
  readonly month: { readonly begin: number; readonly end: number; readonly over: number };
  /** syd is cut off from the database. */
  readonly partition: ScriptedSpan;
  /** nyc is killed, 10 s before a slot of the grid, and started again. */
  readonly killed: ScriptedSpan;
  /** Somebody else uses the key. */
  readonly foreign: { readonly at: number; readonly requests: number };
  /** The service answers 503 to everything, for so long that each location sees it often enough. */
  readonly outage: ScriptedSpan;
};

/** Returns the script of the month's last days. */
export function sharedScript(days: number): SharedScript {
  const begin = Math.max(whole.begin, whole.end - days * day);
  const placeInMonth = (part: number): number =>
    begin + Math.floor(((whole.end - begin) * part) / day / 0.25) * 0.25 * day;
  const makeSpan = (part: number, hours: number, after = 0): ScriptedSpan => {
    return { from: placeInMonth(part) + after, to: placeInMonth(part) + after + hours * hour };
  };
  return {
    month: { ...whole, begin },
    partition: makeSpan(0.15, 6, 10_000),
    killed: makeSpan(0.4, 5, 4 * 60_000 - 10_000),
    foreign: {
      at: placeInMonth(0.65) + 10_000,
      requests: Math.ceil((300 * (whole.end - begin)) / (31 * day)),
    },
    outage: makeSpan(0.8, 5, 10_000),
  };
}
