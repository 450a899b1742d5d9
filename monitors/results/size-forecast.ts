import { day } from './calendar.ts';
import type { StoreSize } from './results-store.ts';

/** The forecast of a store's size at the present rate. */
export type SizeForecast = {
  readonly bytesPerMonth: number;
  /** From when on (Unix ms) no slot comes in without an old one going; undefined if slots are never forgotten. */
  readonly flatFrom?: number;
  /** The size then, and the monthly growth of the roll-ups from then on. */
  readonly bytesThen?: number;
  readonly bytesPerMonthThen: number;
};

/** Bytes on the disk, as measured with five years of slots of one request each; an hour has its share of a quota row. */
const bytesOf = { slot: 35, request: 51, hour: 80, requestInHour: 15, day: 160, requestInDay: 6 } as const;

const month = 365.25 / 12;

/** Returns the forecast at `now` (Unix ms) for slots that are kept whole for `keepRawDays`. */
export function forecastSize(size: StoreSize, keepRawDays: number, now: number): SizeForecast {
  const perDay = bytesPerDay(size);
  const bytesPerMonth = (perDay.slots + perDay.rollUps) * month;
  const bytesPerMonthThen = Number.isFinite(keepRawDays) ? perDay.rollUps * month : bytesPerMonth;
  const used = size.bytes - size.freeBytes;
  if (!Number.isFinite(keepRawDays) || size.firstSlot === undefined)
    return { bytesPerMonth, bytesPerMonthThen };
  const flatFrom = Math.max(now, size.firstSlot + keepRawDays * day);
  const bytesThen = used + ((flatFrom - now) / day) * (perDay.slots + perDay.rollUps);
  return { bytesPerMonth, flatFrom, bytesThen: Math.max(size.bytes, bytesThen), bytesPerMonthThen };
}

/** An hour of a series cannot be rolled up more often than there are hours, nor than there are slots. */
function bytesPerDay({ series, slotsPerDay, requestsPerDay }: StoreSize): { slots: number; rollUps: number } {
  const hours = Math.min(24 * series, slotsPerDay);
  const days = Math.min(series, slotsPerDay);
  return {
    slots: slotsPerDay * bytesOf.slot + requestsPerDay * bytesOf.request,
    rollUps:
      hours * bytesOf.hour +
      days * bytesOf.day +
      requestsPerDay * (bytesOf.requestInHour + bytesOf.requestInDay),
  };
}
