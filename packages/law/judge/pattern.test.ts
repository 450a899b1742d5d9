import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { type Distort, everyRow, type Fields, header, withExchanges } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record({ ...usualWorld, poolsV2: [1, 2, 3, 4] });

/** The pattern of a rule's first finding after the answers of requests with these names were damaged. */
function findPattern(rule: string, isDamaged: RegExp, damage: Distort): string | undefined {
  const damaged = withExchanges(healthy, (all) =>
    all.map((exchange, at) => (isDamaged.test(healthy.names[at] ?? '') ? damage(exchange) : exchange)),
  );
  const finding = judgeIt(damaged).findings.find((finding) => finding.rule === rule);
  expect(finding, 'the damage is found').toBeDefined();
  return finding?.pattern;
}

/** Puts the low above the high in some rows. */
function raiseLow(isDamaged: (start: Date, row: number) => boolean): Distort {
  return everyRow((fields: Fields, row) => {
    const start = new Date(Number(fields.startTimestampSeconds) * 1000);
    return isDamaged(start, row) ? { low: 1e9 } : {};
  });
}

const histories = /^(recent|week) (FIVEMIN|HOUR)(?!.*unkeyed)/;

test('rows that break a rule at one time of the day are said to', () => {
  const atNoon = raiseLow((start) => start.toISOString().slice(11, 16) === '12:00');
  expect(findPattern('candle/low-is-lowest', histories, atNoon)).toContain('each at 12:00 UTC');
});

test('answers that break a rule with one value of a parameter alone are said to', () => {
  const damage = raiseLow((_, row) => row % 7 === 3);
  expect(findPattern('candle/low-is-lowest', /^(recent|week) HOUR(?!.*unkeyed)/, damage)).toContain(
    'only of HOUR',
  );
});

test('rows from a day on are said to be broken since then', () => {
  const newest = Math.max(...healthy.recording.exchanges.map(({ startedAt }) => Date.parse(startedAt)));
  const since = raiseLow((start) => start.getTime() > newest - 20 * 3_600_000);
  expect(findPattern('candle/low-is-lowest', /^recent HOUR of \d/, since)).toMatch(
    /none before 20\d\d-\d\d-\d\d/,
  );
});

test('rows that are broken anywhere have no pattern, nor has a rule that everything breaks', () => {
  expect(
    findPattern(
      'candle/low-is-lowest',
      histories,
      raiseLow((_, row) => row % 7 === 3),
    ),
  ).toBeUndefined();
  expect(
    findPattern(
      'candle/low-is-lowest',
      histories,
      raiseLow(() => true),
    ),
  ).toBeUndefined();
  expect(
    findPattern('quota/headers-on-every-answer', /./, header('x-ratelimit-limit', undefined)),
  ).toBeUndefined();
});
