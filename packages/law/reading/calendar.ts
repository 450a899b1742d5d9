import { day, intervalPhase } from '@candleproof/document/spec/interval';
import { findOffset, type Zone } from '@candleproof/document/spec/times';

/**
 * The time axis of days and weeks in a zone whose clocks change: its clocks as they are set now, for all times, so that
 * every day has 24 hours. Shorter intervals stay on that of Unix time.
 */
export type Calendar = {
  readonly zone: Zone;
  /** Seconds by which the zone's clocks are ahead of UTC now. */
  readonly offset: number;
};

/**
 * Returns the calendar of an answer by one of its times in Unix seconds; undefined if days do not change with the zone,
 * or begin at midnight in UTC although texts are written in the zone. `now` is in Unix seconds.
 */
export function findCalendar(zone: Zone, length: number, time: number, now: number): Calendar | undefined {
  if (zone.length < 2 || length < day || Number.isNaN(time)) return undefined;
  const isOfZone = intervalPhase(time + findOffset(zone, time), day) === 0;
  return isOfZone || intervalPhase(time, day) !== 0 ? { zone, offset: findOffset(zone, now) } : undefined;
}

/** Moves Unix seconds to the calendar's axis. */
export function moveToCalendar(seconds: number, { zone, offset }: Calendar): number {
  return seconds + findOffset(zone, seconds) - offset;
}

/** Returns the request with its range on the calendar's axis. */
export function moveRange<Of extends { readonly from?: number; readonly to?: number }>(
  requested: Of,
  calendar: Calendar | undefined,
): Of {
  if (!calendar) return requested;
  const { from, to } = requested;
  return {
    ...requested,
    ...(from !== undefined && { from: moveToCalendar(from, calendar) }),
    ...(to !== undefined && { to: moveToCalendar(to, calendar) }),
  };
}
