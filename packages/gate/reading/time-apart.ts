import {
  type ClockForm,
  findClock,
  isClockName,
  writeClock,
} from '@candleproof/document/layout/clock-numbers';
import { timeOfDay } from '@candleproof/document/layout/infer-places';
import { bareName } from '@candleproof/document/layout/role-names';
import type { Places } from './columns.ts';

/** The time of day beside a date, and its form if it is a number. */
export type Apart<Place> = { readonly time: Place; readonly clock: ClockForm | undefined };

/** Finds the time of day beside the date, in the time's place or among `others`, which have no role, by name and texts. */
export function findApart<Place>(
  places: Places<Place>,
  others: readonly { readonly place: Place; readonly name: string }[],
  listTexts: (place: Place) => readonly string[],
): Apart<Place> | undefined {
  const { date, time } = places;
  if (date === undefined) return undefined;
  const dates = listTexts(date);
  if (time !== undefined) {
    const texts = listTexts(time);
    const clock = findClock(texts, dates, 'time');
    const isWritten = dates[0] !== '' && timeOfDay.test(texts[0] ?? '');
    return clock !== undefined || isWritten ? { time, clock } : undefined;
  }
  for (const { place, name } of others) {
    const [texts, bare] = [listTexts(place), bareName(name)];
    const clock = findClock(texts, dates, bare);
    if (clock !== undefined || (isClockName(bare) && areWritten(texts, dates))) return { time: place, clock };
  }
  return undefined;
}

/** Returns whether texts such as `09:30` tell rows of one date apart. */
function areWritten(texts: readonly string[], dates: readonly string[]): boolean {
  return (
    texts.every((text) => /^\d\d?:\d\d/.test(text)) &&
    texts.some((text, at) => at > 0 && dates[at] === dates[at - 1] && text !== texts[at - 1])
  );
}

/** Returns a date with its time of day. */
export function joinTime(date: string, time: string, clock: ClockForm | undefined): string {
  return `${date} ${clock === undefined ? time : writeClock(time, clock)}`;
}
