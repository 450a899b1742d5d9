import { nothingJudged } from '@candleproof/law/judge/apply-rule';
import { choose } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Audit } from '../audit/audit.ts';
import { groupCauses, nameCauses } from '../audit/causes.ts';
import { type Mark, mergeMarks } from '../audit/damage.ts';
import { reachVerdict } from '../audit/verdict.ts';
import { renderAudit } from './audit-text.ts';

const suspects = ['day', 'hour'] as const;
const rungs = { hour: { name: 'HOUR', seconds: 3600 }, day: { name: 'DAY', seconds: 86_400 } };
const mark: Mark = {
  pool: 1,
  interval: 'day',
  from: 1_773_100_800,
  to: 1_773_187_200,
  kind: 'rollup',
  rule: 'rollup/volume-is-summed',
  detail: 'expected 7; received 8',
};

function inWords(marks: readonly Mark[], width = 160): string {
  const appliedRules = choose(['rollup']).chosen.rules.map(nothingJudged);
  const damage = nameCauses(mergeMarks('t', marks, rungs), { findings: [], appliedRules });
  const audit: Audit = {
    ...{ verdict: reachVerdict(damage, [], 32), failing: [], causes: groupCauses(damage, []), usable: [] },
    target: { name: 't', baseUrl: 'https://target.invalid' },
    range: { from: mark.from, to: mark.to },
    pools: [1],
    requests: { sent: 3, budget: 3 },
    candles: 32,
    damage,
    divided: [],
  };
  return renderAudit(audit, { color: false, width });
}

test('lengths that disagree are both named, as suspects, where nothing decides', () => {
  const reported = inWords(suspects.map((interval) => ({ ...mark, interval, suspects })));
  expect(reported).toContain('ranges: 2 of which one or the other is damaged');
  for (const interval of ['HOUR', 'DAY'])
    expect(reported.replace(/\s+/g, ' ')).toContain(
      `pool 1 ${interval} rollup 2026-03-10T00:00Z to 2026-03-11T00:00Z either DAY or HOUR is wrong; the answers do not show which: expected 7; received 8 rollup/volume-is-summed`,
    );
});

test('a length that is known to be wrong is damaged, and no suspect', () => {
  const reported = inWords([mark, { ...mark, rule: 'rollup/close-is-the-last', suspects }]);
  expect(reported).toContain('ranges: 1 damaged\n');
  expect(reported).not.toContain('do not show which');
});

test('an hour that is missing on many days is one entry, and two days are not yet a habit', () => {
  const noon = (at: number): Mark => ({
    ...{ pool: 1, interval: 'hour', kind: 'gap', rule: 'history/complete', detail: 'no row' },
    ...{ from: mark.from + at * 86_400 + 43_200, to: mark.from + at * 86_400 + 46_800 },
  });
  const days = Array.from({ length: 26 }, (_, at) => noon(at));
  expect(inWords(days)).toContain(
    'pool 1 HOUR  gap  12:00 to 13:00 missing on 26 days, 2026-03-10 to 2026-04-04\n  no row\n',
  );
  expect(inWords(days.slice(0, 2)).match(/gap/g)).toHaveLength(2);
});

/** Reads the ranges that a line says back, in Unix seconds. */
function readBack(line: string): { readonly from: number; readonly to: number }[] {
  const habit = /(\d\d:\d\d) to (\d\d:\d\d)( of the next day)? missing on (\d+) days, (\S+) to (\S+)/.exec(
    line,
  );
  if (!habit) {
    const [, from = '', to = ''] = /(\S+Z) to (\S+Z)/.exec(line) ?? [];
    return [{ from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 }];
  }
  const [, begin = '', end = '', next, count, first = ''] = habit;
  const at = (date: string, time: string): number => Date.parse(`${date}T${time}:00Z`) / 1000;
  return Array.from({ length: Number(count) }, (_, day) => ({
    from: at(first, begin) + day * 86_400,
    to: at(first, end) + (day + (next ? 1 : 0)) * 86_400,
  }));
}

test('what the words say of ranges covers exactly those that are damaged, past midnight too', () => {
  const starts = fc.integer({ min: 0, max: 23 });
  fc.assert(
    fc.property(
      starts,
      fc.integer({ min: 1, max: 23 }),
      fc.integer({ min: 3, max: 9 }),
      (hour, hours, days) => {
        const marks = Array.from({ length: days }, (_, at): Mark => {
          const from = mark.from + at * 86_400 + hour * 3600;
          const gap = {
            pool: 1,
            interval: 'hour',
            kind: 'gap',
            rule: 'history/complete',
            detail: 'no row',
          } as const;
          return { ...gap, from, to: from + hours * 3600 };
        });
        const [, ...lines] = inWords(marks).replace(/\s+/g, ' ').split('pool 1 HOUR ');
        expect(lines.flatMap(readBack)).toEqual(marks.map(({ from, to }) => ({ from, to })));
      },
    ),
  );
});

test('no line of an audit has more than 80 columns, and nothing of it is cut', () => {
  for (const width of [0, 60, Number.POSITIVE_INFINITY]) {
    const reported = inWords([{ ...mark, detail: 'expected-7 '.repeat(20) }], width);
    expect(Math.max(...reported.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      width === 60 ? 60 : 80,
    );
    expect(reported.match(/expected-7/g)).toHaveLength(20);
  }
});
