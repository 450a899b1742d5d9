const parseTime = (text: string): number => Date.parse(`2026-${text}Z`);

/** The month of a key whose service keeps the clocks of New York, and two hours more. */
export const month = {
  begin: parseTime('10-01T04:00'),
  end: parseTime('11-01T04:00'),
  over: parseTime('11-01T06:00'),
};

export type ScriptedSpan = { readonly from: number; readonly to: number };

/** mainnet answers 503 to everything; between the last two the monitor is absent, and mainnet is well. */
export const outages: readonly ScriptedSpan[] = [
  { from: parseTime('10-06T10:00'), to: parseTime('10-06T10:40') },
  { from: parseTime('10-23T10:00'), to: parseTime('10-23T10:40') },
  { from: parseTime('10-23T13:30'), to: parseTime('10-23T14:10') },
];

/** testnet's latest candle stops changing, in the middle of a bucket. */
export const stale: ScriptedSpan = { from: parseTime('10-13T06:02'), to: parseTime('10-13T12:02') };

/** The first answer of mainnet's history after this is wrong: its extremes are swapped. */
export const wrongAfter = parseTime('10-20T08:00');

/** An hour of mainnet's is given another average, long after it ended. */
export const restated = { at: parseTime('10-22T15:00'), hour: parseTime('10-22T09:00') / 1000 };

/** Every closed hour of mainnet's has twice its volume until it is repaired; its history is probed twice meanwhile. */
export const corrupted: ScriptedSpan = { from: parseTime('10-24T05:00'), to: parseTime('10-24T10:30') };

/** mainnet refuses our key: four slots of three probes, and no objective is missed. */
export const refused: ScriptedSpan = { from: parseTime('10-28T15:50'), to: parseTime('10-28T16:35') };

/** Somebody else uses mainnet's key. */
export const foreign = { from: parseTime('10-15T12:00'), to: parseTime('10-15T18:00'), requests: 300 };

/** The monitor is stopped, and started again. */
export const absences: readonly ScriptedSpan[] = [
  { from: parseTime('10-09T20:00:30'), to: parseTime('10-09T20:55:30') },
  { from: parseTime('10-18T03:00:30'), to: parseTime('10-18T03:00:31') },
  { from: parseTime('10-23T10:50:30'), to: parseTime('10-23T13:20:30') },
  { from: parseTime('10-27T11:00:30'), to: parseTime('10-27T13:00:30') },
];

/** In the first slot after `after` the monitor is killed in the middle of its request; it is absent until `to`. */
export const kill = { after: parseTime('10-11T07:10:30'), to: parseTime('10-11T08:50:30') };

/** Returns whether an instant lies in a span. */
export function isWithin(span: ScriptedSpan, instant: number): boolean {
  return span.from <= instant && instant < span.to;
}

/** Planned work as the clocks on the wall show it: reckoned by the platform's calendar. */
export function isMaintained(target: string, instant: number): boolean {
  const [zone, from, to] =
    target === 'mainnet' ? ['Australia/Sydney', '01:30', '03:30'] : ['Europe/London', '00:30', '01:45'];
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone ?? '',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const findPart = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const time = `${findPart('hour')}:${findPart('minute')}`;
  return findPart('weekday') === 'Sunday' && (from ?? '') <= time && time < (to ?? '');
}

/** The faults of each service in a slot. */
export function scriptedFaults(now: number, wrongSlot: number): { mainnet: string[]; testnet: string[] } {
  const seconds = Math.floor((now - stale.from) / 1000);
  return {
    mainnet: [
      ...(outages.some((span) => isWithin(span, now)) ? ['F131:1'] : []),
      ...(now === wrongSlot ? ['F25'] : []),
    ],
    testnet: isWithin(stale, now) && seconds > 0 ? [`F60:${seconds}`] : [],
  };
}
