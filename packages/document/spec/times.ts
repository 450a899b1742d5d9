import { parseTime } from '../layout/written-times.ts';
import type { TimeForm, TimeUnit } from './roles.ts';

/** A zone as its changes of offset from 1970 to 2099, in seconds; none for UTC. It is data: a packed spec holds it. */
export type Zone = readonly { readonly from: number; readonly offset: number }[];

/** The seconds of the years that a zone covers, and steps between which no zone changes twice. */
const covered = { from: 0, to: 4_102_444_800, step: 14 * 86_400 };

/** Zones change their offsets at quarters of an hour. */
const quarter = 900;

/** Reads a zone by its IANA name; undefined if there is none of that name. */
export function readZone(name: string): Zone | undefined {
  if (name === 'UTC') return [];
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
  } catch {
    return undefined;
  }
  const offset = (at: number): number =>
    Date.parse(`${format.format(at * 1000).replace(' ', 'T')}Z`) / 1000 - at;
  const zone = [{ from: covered.from, offset: offset(covered.from) }];
  for (let at = covered.from; at < covered.to; at += covered.step) {
    const next = offset(at + covered.step);
    if (next === zone.at(-1)?.offset) continue;
    let [before, after] = [at, at + covered.step];
    while (after - before > quarter) {
      const middle = before + Math.floor((after - before) / 2 / quarter) * quarter;
      if (offset(middle) === next) after = middle;
      else before = middle;
    }
    zone.push({ from: after, offset: next });
  }
  return zone;
}

/** Returns the seconds by which a zone's clocks are ahead of UTC at Unix seconds. */
export function findOffset(zone: Zone, at: number): number {
  let [low, high] = [0, zone.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((zone[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return zone[low]?.offset ?? 0;
}

/** Returns the other instant with the same local time, in the hour that a zone's clocks repeat; else NaN. */
export function repeatedTime(seconds: number, zone: Zone): number {
  const local = seconds + findOffset(zone, seconds);
  for (const near of [seconds - 2 * 3600, seconds + 2 * 3600]) {
    const other = local - findOffset(zone, near);
    if (other !== seconds && other + findOffset(zone, other) === local) return other;
  }
  return Number.NaN;
}

const isoForm =
  /^(\d{4}-\d\d-(\d\d))(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?)?(?: ?(?:(Z|UTC)|([+-])(\d\d):?(\d\d)))?$/;

/** Reads ISO 8601 text as Unix seconds; text without an offset is a time of the zone, never of this machine's. */
function readIso(text: string, zone: Zone): number {
  const [, date, day, time = '00:00', seconds = ':00', fraction = 0, utc, sign, hours, minutes] =
    isoForm.exec(text) ?? [];
  const local = Date.parse(`${date}T${time}${seconds}Z`) / 1000 + Number(fraction);
  // The parser takes February 30 for a day of March.
  if (new Date(Date.parse(date ?? '')).getUTCDate() !== Number(day)) return Number.NaN;
  if (sign !== undefined) return local - Number(`${sign}60`) * (60 * Number(hours) + Number(minutes));
  return utc === undefined ? readLocal(local, zone) : local;
}

/** Returns the Unix seconds at which a zone's clocks show a time, given as if they were in UTC. */
export function readLocal(local: number, zone: Zone): number {
  return local - findOffset(zone, local - findOffset(zone, local));
}

const wholeText = /^\d{1,19}$/;

/** Numbers from here on are milliseconds where seconds may come as well: as seconds they would be after the year 5000. */
const leastMilliseconds = 1e11;

/** Units of each second. */
const perSecond = { s: 1, ms: 1e3, us: 1e6, ns: 1e9, min: 1 / 60 } as const;
type CountUnit = keyof typeof perSecond;

/** Returns whether times in a unit are numbers. */
export function isCountUnit(unit: TimeUnit): unit is CountUnit {
  return Object.hasOwn(perSecond, unit);
}

/** Returns the unit that a value has among those of its form. */
export function chooseUnit(value: unknown, form: TimeForm): TimeUnit {
  if (typeof form === 'string') return form;
  const isNumber = typeof value === 'number' || wholeText.test(String(value));
  const wanted = isNumber ? (Number(value) >= leastMilliseconds ? 'ms' : 's') : 'iso';
  const near = form.find((unit) => isCountUnit(unit) === isNumber);
  return form.includes(wanted) ? wanted : (near ?? form[0] ?? 's');
}

/** Reads a time in the document's unit as Unix seconds; NaN for anything else. Whole numbers may come as text. */
export function readTime(value: unknown, form: TimeForm, zone: Zone = []): number {
  const unit = chooseUnit(value, form);
  if (unit === 'iso') return typeof value === 'string' ? readIso(value, zone) : Number.NaN;
  if (!isCountUnit(unit)) return readWritten(String(value), unit === 'text' ? 'iso' : unit, zone);
  const number = typeof value === 'string' && wholeText.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return Number.NaN;
  if (unit === 's' || unit === 'ms') return number / perSecond[unit];
  // A double holds seconds of this century to a microsecond, and a millisecond is the finest that is judged.
  return Math.round((number / perSecond[unit]) * 1000) / 1000;
}

/** An offset behind a time of day, or a count in text, which has none. */
const zoned = /(\d[ ]?(Z|UTC|GMT)|:\d\d(\.\d+)? ?[+-]\d\d(:?\d\d)?)$|^\/Date/i;

/** Reads text in a form other than ISO 8601; text without an offset is a time of the zone. */
function readWritten(text: string, unit: 'iso' | 'dmy' | 'mdy', zone: Zone): number {
  const time = parseTime(text, unit);
  return zoned.test(text) ? time : readLocal(time, zone);
}

/**
 * Writes Unix seconds in the document's unit: ISO 8601 in the first form that the document accepts, in its zone if it
 * names one, else with a Z.
 */
export function writeTime(
  seconds: number,
  form: TimeForm,
  zone: Zone | undefined,
  accepts: (text: string) => boolean,
): string {
  const unit = typeof form === 'string' ? form : (form[0] ?? 's');
  if (isCountUnit(unit)) return writeCount(seconds, unit);
  const text = new Date((seconds + findOffset(zone ?? [], seconds)) * 1000).toISOString();
  const [date = '', time = ''] = text.replace('.000Z', '').split('T');
  const [digits, clock] = [date.replaceAll('-', ''), time.slice(0, 8).replaceAll(':', '')];
  const forms = [
    ...(zone ? [] : [`${date}T${time}Z`]),
    ...[
      `${date}T${time}`,
      `${date} ${time}`,
      date,
      `${date}T${time.slice(0, 5)}`,
      `${date} ${time.slice(0, 5)}`,
    ],
    ...[`${digits}${clock}`, `${digits}${clock.slice(0, 4)}`, `${digits} ${clock.slice(0, 4)}`, digits],
  ];
  return forms.find(accepts) ?? forms[0] ?? '';
}

/** Writes a count since 1970; those finer than milliseconds in digits, as a double is too coarse for them. */
function writeCount(seconds: number, unit: CountUnit): string {
  if (unit === 's') return String(seconds);
  if (unit === 'min') return String(Math.floor(seconds / 60));
  return `${Math.round(seconds * 1000)}${{ ms: '', us: '000', ns: '000000' }[unit]}`;
}
