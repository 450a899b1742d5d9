import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { roughWorlds, worlds } from '../../worlds/arbitraries.ts';
import { judgeIt, listFindings } from '../../worlds/breach-case.ts';
import {
  answeredList,
  type Distort,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  replaceRequest,
  rows,
} from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { shiftRecord } from '../history/history.breaches.ts';
import { beforeMidnight, carryWeight, joinRuns, night, replayLater } from './rollup-open-average.breaches.ts';

const rule = 'rollup/open-average-keeps-its-past';

function own(recorded: NamedRecording): { outcome: string | undefined; findings: string[] } {
  const { findings, rules } = judgeIt(recorded);
  return {
    outcome: rules.find((ruleResult) => ruleResult.id === rule)?.outcome,
    findings: listFindings(findings.filter((finding) => finding.rule === rule)),
  };
}

/** At most seventeen minutes since 23:46:40, beside five-minute candles from 20:00 to 23:45 and the hours before. */
const carriedAtMost = 17 / (17 + 45 + 44);

/** Flattens these rows of the first run, as if they had not been observed. */
function flat(
  name: string,
  isFlat: (start: string) => boolean,
): (recorded: NamedRecording) => NamedRecording {
  const flattened = (row: Fields): Fields =>
    isFlat(new Date(Number(row.startTimestampSeconds) * 1000).toISOString())
      ? { open: row.close, high: row.close, low: row.close, avg: row.close }
      : {};
  return (recorded) => damageExchange(recorded, name, everyRow(flattened));
}

test('two looks across midnight pass where the past keeps its weight', () => {
  const both = own(
    joinRuns(
      record(beforeMidnight),
      replayLater((exchange) => exchange),
    ),
  );
  expect(both).toEqual({ outcome: 'passed', findings: [] });
});

test('one look, or two without shorter candles before them, decide nothing', () => {
  expect(own(record(beforeMidnight)).outcome).toBe('unexercised');
  const weeksAlone = (recorded: NamedRecording): NamedRecording =>
    damageExchange(
      damageExchange(
        recorded,
        'recent FIVEMIN',
        rows(() => []),
      ),
      'recent HOUR of 1',
      rows(() => []),
    );
  expect(
    own(
      joinRuns(
        weeksAlone(record(beforeMidnight)),
        replayLater((exchange) => exchange),
      ),
    ).outcome,
  ).toBe('unexercised');
});

for (const name of ['recent WEEK', 'recent WEEK inverted'] as const) {
  for (const to of ['low', 'high'] as const) {
    test(`an average of ${name} that new minutes cannot carry so ${to} is reported`, () => {
      const edge = replayLater(carryWeight(carriedAtMost * (1 - 1e-6), to, name), name);
      expect(own(joinRuns(record(beforeMidnight), edge)).findings).toEqual([]);
      const beyond = own(
        joinRuns(
          record(beforeMidnight),
          replayLater(carryWeight(carriedAtMost * (1 + 1e-6), to, name), name),
        ),
      );
      expect(beyond.findings).toHaveLength(1);
      expect(beyond.findings[0]).toMatch(
        /avg: [\d.]+ instead of within \[[\d.]+, [\d.]+\]: no more than 17 minutes since 2026-03-17T23:46:4\dZ beside 89 or more before$/,
      );
    });
  }
}

test('hours from before the week and requests in another order count alike', () => {
  const far = replayLater(carryWeight(0.5, 'low'));
  const first = record(beforeMidnight);
  const swapped = replaceRequest(
    replaceRequest(first, 'recent FIVEMIN', 'recent HOUR of 1'),
    'recent HOUR of 1',
    'tokens',
    () => first.recording.exchanges[first.names.indexOf('recent FIVEMIN')]?.request.url ?? '',
  );
  const fiveMinutes = damageExchange(
    swapped,
    'recent HOUR of 1',
    rows(() => answeredList(first, 'recent FIVEMIN')),
  );
  expect(own(joinRuns(fiveMinutes, far)).findings[0]).toMatch(/beside 89 or more before$/);
  const early = damageExchange(
    first,
    'recent HOUR of 1',
    rows((list) => [shiftRecord(list[0], -3600), ...list]),
  );
  expect(own(joinRuns(early, far)).findings[0]).toMatch(/beside 89 or more before$/);
});

test('a Date that lags makes room for one more minute', () => {
  const far = replayLater(carryWeight(0.5, 'low'), 'recent WEEK', night + 18);
  expect(own(joinRuns(record(beforeMidnight), far)).findings[0]).toMatch(/no more than 18 minutes since/);
});

for (const to of ['low', 'high'] as const) {
  test(`an average that its own digits carry beyond the ${to} is forgiven`, () => {
    const world = { ...beforeMidnight, digits: 6 } as const;
    const off = (share: number): Distort =>
      fields(-1, (week) => {
        const avg = Number(answeredList(record(world), 'recent WEEK').at(-1)?.avg);
        const edge = avg + carriedAtMost * (Number(week[to]) - avg);
        return { avg: edge * (to === 'low' ? 1 - share : 1 + share) };
      });
    const reported = (share: number): string[] =>
      own(joinRuns(record(world), replayLater(off(share), 'recent WEEK', night, world))).findings;
    expect(reported(4e-6)).toEqual([]);
    expect(reported(4e-5)).toHaveLength(1);
  });
}

test('hours in which no price moved prove no observation', () => {
  const far = replayLater(carryWeight(0.2, 'low'));
  expect(own(joinRuns(record(beforeMidnight), far)).findings).toHaveLength(1);
  const filled = flat('recent HOUR of 1', () => true)(record(beforeMidnight));
  expect(own(joinRuns(filled, far)).findings).toEqual([]);
});

test('after an outage all minutes since its beginning may be new', () => {
  const far = replayLater(carryWeight(0.5, 'low'));
  expect(own(joinRuns(record(beforeMidnight), far)).findings).toHaveLength(1);
  const since = (start: string): boolean => start >= '2026-03-17T22:00';
  const out = flat('recent HOUR of 1', since)(flat('recent FIVEMIN', since)(record(beforeMidnight)));
  expect(own(joinRuns(out, far)).findings).toEqual([]);
});

test('an average outside of its own candle is reported there alone', () => {
  const outside = replayLater(fields(-1, ({ high }) => ({ avg: 2 * Number(high) })));
  expect(own(joinRuns(record(beforeMidnight), outside)).findings).toEqual([]);
});

test('answers of an earlier clock accuse nobody', () => {
  expect(own(joinRuns(replayLater(carryWeight(0.9, 'low')), record(beforeMidnight))).findings).toEqual([]);
});

test('no healthy service is accused, however far apart the looks', () => {
  const anyWorld = fc.oneof(worlds, roughWorlds);
  const apart = fc.constantFrom(7, 61, 400, 1_000, 7_000, 90_000);
  fc.assert(
    fc.property(anyWorld, apart, (healthy, seconds) => {
      const again = record({ ...healthy, now: healthy.now + seconds });
      expect(own(joinRuns(record(healthy), again)).findings).toEqual([]);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 200 : 10 },
  );
});
