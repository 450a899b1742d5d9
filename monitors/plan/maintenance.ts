import { day, second } from '../results/calendar.ts';

/** More than any clock differs from UTC, including a clock change. */
const furthest = 18 * 3_600_000;

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Weekday = (typeof weekdays)[number];

/** Weekly on some days from one time (HH:MM) to another; past midnight unless it ends later than it begins. */
export type WeeklyWindow = {
  readonly zone: string;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
};

/** Once, from one local date and time (YYYY-MM-DDTHH:MM) to another. */
export type DatedWindow = { readonly zone: string; readonly from: string; readonly to: string };

/** Planned work, by the clocks of an IANA zone. */
export type MaintenanceWindow = WeeklyWindow | DatedWindow;

/** [begin, end) in Unix ms. */
type MaintenanceSpan = { readonly begin: number; readonly end: number };

/** A mistake in a window; `field` is the part that holds it, if it is in one part alone. */
export type WindowMistake = { readonly field?: 'zone' | 'from' | 'to'; readonly message: string };

/** Returns the mistake in a window; undefined for a valid one. The other functions require a valid window. */
export function windowMistake(window: MaintenanceWindow): WindowMistake | undefined {
  if (openClock(window.zone) === undefined)
    return { field: 'zone', message: `there is no zone "${window.zone}": use one such as Europe/London` };
  const form = 'days' in window ? 'HH:MM' : 'YYYY-MM-DDTHH:MM';
  const unreadable = (['from', 'to'] as const).find((field) =>
    Number.isNaN(parseLocal(window, window[field])),
  );
  if (unreadable) return { field: unreadable, message: `"${window[unreadable]}" is no time: write ${form}` };
  if ('days' in window)
    return window.days.length === 0 ? { message: 'the window has no days: name at least one' } : undefined;
  return window.from < window.to
    ? undefined
    : { message: `the window ends at ${window.to}, not after it begins` };
}

/** Returns the latest end (Unix ms) of the windows that contain an instant; undefined if none does. */
export function maintenanceEnd(windows: readonly MaintenanceWindow[], instant: number): number | undefined {
  const ends = windows.flatMap((window) =>
    spansAround(window, instant).flatMap(({ begin, end }) =>
      begin <= instant && instant < end ? [end] : [],
    ),
  );
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Returns every span of a window that contains an instant, and perhaps adjacent ones. */
function spansAround(window: MaintenanceWindow, instant: number): MaintenanceSpan[] {
  const clock = openClock(window.zone);
  if (clock === undefined) return [];
  const [begin, end] = [parseLocal(window, window.from), parseLocal(window, window.to)];
  if (!('days' in window)) return [makeSpan(clock, begin, end)];
  const length = end > begin ? end - begin : end - begin + day;
  const spans: MaintenanceSpan[] = [];
  // A window may end on the day after the one on which it begins.
  const today = Math.floor(instant / day);
  for (let date = today - 2; date <= today + 1; date++) {
    const name = weekdays[new Date(date * day).getUTCDay()];
    const from = date * day + begin;
    const isNear = from - furthest <= instant && instant <= from + length + furthest;
    if (isNear && name !== undefined && window.days.includes(name))
      spans.push(makeSpan(clock, from, from + length));
  }
  return spans;
}

/** Parses a local time as if it were UTC: Unix ms, or ms since midnight. NaN for an invalid time. */
function parseLocal(window: MaintenanceWindow, text: string): number {
  const isTime = 'days' in window;
  const whole = isTime ? `1970-01-01T${text}` : text;
  if (isTime && text === '24:00') return day;
  const ms = Date.parse(`${whole}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${whole}:`) ? ms : Number.NaN;
}

/** Returns the local time of a zone for a full second, both in Unix ms, as if it were UTC. */
type Clock = (instant: number) => number;

const clocks = new Map<string, Clock | undefined>();

/** Opens a zone once, since that is slow; undefined for an unknown name. */
function openClock(zone: string): Clock | undefined {
  if (!clocks.has(zone)) clocks.set(zone, makeClock(zone));
  return clocks.get(zone);
}

function makeClock(timeZone: string): Clock | undefined {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
  } catch {
    return undefined;
  }
}

/**
 * Covers a repeated hour both times: from the first beginning to the last end. Work that lies in an hour which is left out
 * is done when the clocks change, and takes as long.
 */
function makeSpan(clock: Clock, begin: number, end: number): MaintenanceSpan {
  const first = Math.min(...localInstants(clock, begin));
  const last = Math.max(...localInstants(clock, end));
  return { begin: first, end: last > first ? last : first + end - begin };
}

/** Returns the instants of a local time in a zone: two in a repeated hour. */
function localInstants(clock: Clock, local: number): number[] {
  const candidates = [local - day, local + day].map((near) => local - (clock(near) - near));
  const shown = candidates.filter((instant) => clock(instant) === local);
  return shown.length > 0 ? shown : [clockChange(clock, Math.min(...candidates), Math.max(...candidates))];
}

/** Finds the instant, to the full second, at which the clocks skipped a local time. */
function clockChange(clock: Clock, before: number, after: number): number {
  let [low, high] = [before, after];
  const offset = clock(high) - high;
  while (high - low > second) {
    const middle = low + Math.floor((high - low) / 2 / second) * second;
    if (clock(middle) - middle === offset) high = middle;
    else low = middle;
  }
  return high;
}
