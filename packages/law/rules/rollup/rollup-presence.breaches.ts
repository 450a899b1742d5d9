import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, replaceRequest, rows, withoutRequests } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { days, ofDays } from './rollup.breaches.ts';

const rule = 'rollup/parents-and-parts';

const begins = 'history/intervals-begin-together';

/** A pool that is born in the middle of the fifth day of its closed week. */
const young = { poolsV2: [1], ages: [5 * 86_400] };

const dropFirstDay = (list: readonly Fields[]): Fields[] =>
  list.filter((row) => Number(row.startTimestampSeconds) >= Date.parse('2026-03-14T00:00:00Z') / 1000);

/** The same pool, born half an hour before its first day ends: at 23:30 on 13 March. */
const lateBorn = { poolsV2: [1], ages: [4 * 86_400 + 11 * 3600 + 7 * 60 + 25] };

const withoutFirstDay = days(rows((list) => list.slice(1)));

const hoursFrom = (start: string) =>
  rows((list) => list.filter((row) => Number(row.startTimestampSeconds) >= Date.parse(start) / 1000));

/** An answer without candles, for ten minutes of the first day, requested before any other. */
function emptyHours(recorded: NamedRecording): NamedRecording {
  const from = Date.parse('2026-03-13T12:10:00Z') / 1000;
  const narrow = (url: string): string => url.replace(/from=\d+&to=\d+/, `from=${from}&to=${from + 600}`);
  const requested = replaceRequest(recorded, 'recent HOUR of 1', 'recent HOUR of 1', narrow);
  return damageExchange(
    requested,
    'recent HOUR of 1',
    rows(() => []),
  );
}

/** Hours from the second day on, requested before any other. */
function laterHours(recorded: NamedRecording): NamedRecording {
  const later = Date.parse('2026-03-14T00:00:00Z') / 1000;
  const narrow = (url: string): string => url.replace(/from=\d+/, `from=${later}`);
  const requested = replaceRequest(recorded, 'recent HOUR of 1', 'recent HOUR of 1', narrow);
  return damageExchange(requested, 'recent HOUR of 1', hoursFrom('2026-03-14T00:00:00Z'));
}

export const presenceBreaches: readonly BreachCase[] = [
  {
    rule,
    what: 'the first hours of a pool without their day',
    world: young,
    whole: withoutFirstDay,
    expected: 'a candle from 2026-03-13T00:00:00Z, where a HOUR candle is',
    actual: '1 missing: 2026-03-13T00:00:00Z',
    drawn: 2,
  },
  {
    rule,
    what: 'the first day of a pool without its hours',
    world: young,
    whole: (recorded) =>
      recorded.names
        .filter((name) => name.startsWith('week HOUR'))
        .reduce((changed, name) => damageExchange(changed, name, rows(dropFirstDay)), recorded),
    count: 3,
    expected: 'candles from 2026-03-13T00:00:00Z on, where a DAY candle is',
    actual: 'none before 2026-03-14T00:00:00Z',
    drawn: 2,
  },
  {
    rule,
    what: 'the first hours of a pool without their day, whatever an empty answer tells',
    world: young,
    whole: (recorded) => withoutFirstDay(emptyHours(recorded)),
    expected: 'a candle from 2026-03-13T00:00:00Z, where a HOUR candle is',
    actual: '1 missing: 2026-03-13T00:00:00Z',
  },
  {
    rule,
    what: 'the first hours of a pool without their day, in an answer that came after hours of later days',
    world: young,
    whole: (recorded) => withoutFirstDay(laterHours(recorded)),
    expected: 'a candle from 2026-03-13T00:00:00Z, where a HOUR candle is',
    actual: '1 missing: 2026-03-13T00:00:00Z',
    // The first answer lacks hours of its wider range.
    also: ['history/split-loses-nothing'],
  },
  {
    rule: begins,
    what: 'a day without its hours, which the rule of beginnings tells alone',
    whole: (recorded) => {
      const others = [
        'week HOUR inverted',
        'week HOUR spelt',
        'week HOUR first half',
        'week HOUR second half',
        'one DAY',
        'week DAY inverted',
        'week DAY spelt otherwise',
      ];
      const alone = withoutRequests(recorded, ...others);
      const without = damageExchange(alone, 'week HOUR', hoursFrom('2026-03-11T00:00:00Z'));
      return damageExchange(
        without,
        'week DAY',
        rows((list) => list.slice(1)),
      );
    },
    expected: 'a candle for each of 166 HOUR intervals, as far back as other intervals reach',
    actual: /^47 missing/,
  },
  {
    rule: begins,
    what: 'the first day of a range with hours, which the rule of beginnings tells alone',
    whole: (recorded) => {
      const earlier = (url: string): string =>
        url.replace(/from=(\d+)/, (_, from) => `from=${Number(from) - 1}`);
      return withoutFirstDay(replaceRequest(recorded, 'week DAY', 'week DAY', earlier));
    },
    expected: 'a candle for each of 6 DAY intervals, as far back as other intervals reach',
    actual:
      '1 missing: 2026-03-09T00:00:00Z; no DAY candle before 2026-03-10T00:00:00Z, but HOUR has rows from 2026-03-09T00:00:00Z',
  },
];

export const presenceNearMisses: readonly NearMiss[] = [
  { rule, what: 'a pool that is born in the last hour of its first day', world: lateBorn },
  {
    rule,
    what: 'weeks and hours of which only the open week was requested',
    world: { membership: 'meets [from, to]', scope: { weeks: 0, fineDays: 1 } },
    whole: (recorded) => withoutRequests(recorded, ...ofDays),
    evidence: 5,
  },
  {
    rule,
    what: 'a pool whose first hour begins its first day',
    world: { poolsV2: [1], ages: [5 * 86_400 + 10 * 3600 + 27 * 60 + 25] },
  },
  { rule, what: 'no day where the range begins, though its hours are reported', whole: withoutFirstDay },
];
