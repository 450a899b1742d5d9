const minute = 60_000;
const day = 86_400_000;

/** The month that a key's requests are counted in: [begin, end) in Unix ms. */
export type QuotaMonth = {
  readonly begin: number;
  readonly end: number;
  /** Minutes east of UTC where `end` is a month's first midnight; undefined where it is none anywhere. */
  readonly offset: number | undefined;
};

/**
 * The month that a reset instant (Unix ms, the month's last moment or the next one's first) closes. Its zone's offset
 * is learnt from the instant; where it is no calendar month's end, the month began on the same day of the one before.
 */
export function quotaMonth(reset: number): QuotaMonth {
  const end = boundary(reset);
  const offset = zoneOffset(end);
  const shift = (offset ?? 0) * minute;
  return { begin: monthEarlier(end + shift) - shift, end, offset };
}

/** Zones lie on quarters of an hour; the last moment is written with or without its milliseconds. */
function boundary(reset: number): number {
  const quarter = Math.round(reset / (15 * minute)) * 15 * minute;
  return quarter >= reset && quarter - reset <= 1000 ? quarter : reset;
}

/** From UTC-12 to UTC+14. */
function zoneOffset(end: number): number | undefined {
  const sinceMidnight = end - Math.floor(end / day) * day;
  if (sinceMidnight % (15 * minute) !== 0) return undefined;
  for (const shift of [-sinceMidnight, day - sinceMidnight]) {
    const isZone = shift >= -12 * 60 * minute && shift <= 14 * 60 * minute;
    if (isZone && new Date(end + shift).getUTCDate() === 1) return shift === 0 ? 0 : shift / minute;
  }
  return undefined;
}

/** The 31st of a month that has only 30 days is its last. */
function monthEarlier(local: number): number {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const begin = Date.UTC(year, month - 1, Math.min(date.getUTCDate(), last));
  return begin + (local - Math.floor(local / day) * day);
}
