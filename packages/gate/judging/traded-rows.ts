import { day, hour } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import type { RowWindow } from './row-window.ts';

/** Rows before a row, and as many after it, that show how lively the market is there. */
export const nearRows = 12;

/**
 * Volume from which a row was traded rather than mistyped, as a multiple of the median of the rows near it or of the row
 * before it, of that row where it is above that median, or of the rows of the same time on other days: a crash that is back after an hour has 3 to 12 times as much, a wrong tick
 * about the usual.
 */
const traded = { ofNear: 2, ofBefore: 1.5, ofHour: 1.5 };

/**
 * Multiple of the median of the rows near it from which a row is one of a rush: 37 million coins beside hours of 300,000, as at
 * a listing elsewhere. From a row on from which all volumes are so much higher, that median is higher, too.
 */
const rush = 10;

/** Days before a row, and as many after it, that show how busy its time of the day is, and fewest of both. */
const [nearDays, fewestDays] = [3, 3];

/**
 * Multiple of the median of the rows after it from which a row's volume dies away, as it does after news: 63 million shares
 * after 5, and 51, 25 and 18 later. That of another unit stays.
 */
const dyingAway = 2;

/**
 * Share of the rows near a row from which its market is thin, if they have one price, no volume, or a hole of so many
 * intervals at most before them: 6 of 24. There one trade may lie anywhere.
 */
const [thinShare, shortHole] = [0.25, 12];

/** Returns whether a row has the volume of a market in which something happened; undefined without volumes. */
export function isTraded(window: RowWindow, at: number): boolean | undefined {
  const { volume } = window.columns;
  const known = listNearVolumes(window, at);
  if (known.length < nearRows) return undefined;
  const [own, before, usual] = [volume[at] as number, volumeBefore(window, at), median(known)];
  if (own > traded.ofNear * Math.min(usual, before)) return true;
  if (own > Math.max(usual, traded.ofBefore * before)) return true;
  const alike = listVolumesOfHour(window, at);
  return alike.length >= fewestDays && own > traded.ofHour * median(alike);
}

/** Returns whether a row has so much more volume than the rows near it, or than those before it, that it was a rush. */
export function isRush(window: RowWindow, at: number): boolean {
  const own = window.columns.volume[at] as number;
  const known = listNearVolumes(window, at);
  if (known.length < nearRows) return false;
  const sides = [listVolumes(window, at - nearRows, at), listVolumes(window, at + 1, at + 1 + nearRows)];
  const [before = known, after = known] = window.direction === 1 ? sides : sides.toReversed();
  const isNews = before.length > 0 && after.length > 0 && own >= rush * median(before);
  return (isNews && own >= dyingAway * median(after)) || own >= rush * median(known);
}

/** Returns whether the market of a row is thin: a lone trade makes a row there, at a price of its own. */
export function isThin({ columns, count, length }: RowWindow, at: number): boolean {
  const { start, high, low, volume } = columns;
  const [from, to] = [Math.max(1, at - nearRows), Math.min(count, at + nearRows + 1)];
  let [thin, rows, hasVolumes] = [0, 0, false];
  for (let near = from; near < to; near++) {
    if (near === at) continue;
    rows++;
    const step = Math.abs((start[near] as number) - (start[near - 1] as number)) / length;
    const isAfterHole = length < hour && step > 1 && step <= shortHole;
    if ((volume[near] as number) > 0) hasVolumes = true;
    if (high[near] === low[near] || volume[near] === 0 || isAfterHole) thin++;
  }
  // Without volumes, rows of one price may be a list of closes.
  return hasVolumes && rows >= nearRows && thin >= thinShare * rows;
}

/** Returns the volume of the row that comes before another in time; NaN if it lies outside the window. */
function volumeBefore({ direction, columns, count }: RowWindow, at: number): number {
  const before = at - direction;
  return before >= 0 && before < count ? (columns.volume[before] as number) : Number.NaN;
}

function listNearVolumes(window: RowWindow, at: number): Float64Array {
  return listVolumes(window, at - nearRows, at + nearRows + 1);
}

/** Lists the volumes above zero of the rows of a window from one position to another. */
function listVolumes({ columns, count }: RowWindow, from: number, to: number): Float64Array {
  return columns.volume.slice(Math.max(0, from), Math.min(count, to)).filter((each) => each > 0);
}

/** Lists the volumes of the rows of the same time on the days around a row: the night is quieter than the day. */
function listVolumesOfHour({ columns, count, length }: RowWindow, at: number): number[] {
  const { start, volume } = columns;
  const found: number[] = [];
  for (let near = 0; near < count; near++) {
    const apart = Math.abs((start[near] as number) - (start[at] as number));
    const isAlike = apart > 0 && apart <= nearDays * day && apart % day === 0;
    if (isAlike && (volume[near] as number) > 0) found.push(volume[near] as number);
  }
  return length < day ? found : [];
}
