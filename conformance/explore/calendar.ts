import { day } from '../../contract/document/interval.ts';

/** A stretch of the calendar at which services go wrong; a border is a stretch of no length. */
export type CalendarMark = {
  readonly kind: 'month' | 'year' | 'leap day' | 'American clocks' | 'European clocks';
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
};

/** Returns the marks that lie in a range of Unix seconds, in the order of time. */
export function listMarks(range: { readonly from: number; readonly to: number }): CalendarMark[] {
  const first = new Date(range.from * 1000).getUTCFullYear();
  const last = new Date(range.to * 1000).getUTCFullYear();
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return years
    .flatMap(marksOfYear)
    .filter(({ from, to }) => range.from <= from && to <= range.to)
    .sort((a, b) => a.from - b.from);
}

function marksOfYear(year: number): CalendarMark[] {
  const border = (month: number): CalendarMark => {
    const at = startOfDay(year, month, 1);
    return { kind: month === 0 ? 'year' : 'month', from: at, to: at };
  };
  const wholeDay = (kind: CalendarMark['kind'], from: number): CalendarMark => ({
    kind,
    from,
    to: from + day,
  });
  const leapDay = startOfDay(year, 1, 29);
  return [
    ...Array.from({ length: 12 }, (_, month) => border(month)),
    ...(new Date(leapDay * 1000).getUTCMonth() === 1 ? [wholeDay('leap day', leapDay)] : []),
    wholeDay('American clocks', nextSunday(startOfDay(year, 2, 8))),
    wholeDay('American clocks', nextSunday(startOfDay(year, 10, 1))),
    wholeDay('European clocks', nextSunday(startOfDay(year, 2, 25))),
    wholeDay('European clocks', nextSunday(startOfDay(year, 9, 25))),
  ];
}

function startOfDay(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / 1000;
}

/** Returns the first Sunday that is not before a day. */
function nextSunday(start: number): number {
  return start + ((7 - new Date(start * 1000).getUTCDay()) % 7) * day;
}

/** Clocks of New York are put forward. */
export function isSummer(instant: number): boolean {
  const year = new Date(instant * 1000).getUTCFullYear();
  return nextSunday(startOfDay(year, 2, 8)) <= instant && instant < nextSunday(startOfDay(year, 10, 1));
}
