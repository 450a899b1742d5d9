import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, makeWalk } from './testing/tables.ts';

/** Makes starts of minutes of sessions from 14:30 to 21:00, and of a part of the minutes from 9:00 on. */
function listMinutes(days: number, early: number, lost: readonly number[]): number[] {
  let state = 5;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const dates = Array.from({ length: days }, (_, at) => begin + at * 86_400).filter(
    (date) => new Date(date * 1000).getUTCDay() % 6 !== 0,
  );
  return dates.flatMap((date, at) =>
    Array.from({ length: 720 }, (_, minute) => 540 + minute)
      .filter((minute) => (minute < 870 ? draw() < early : draw() > 0.002 && !lost.includes(at)))
      .map((minute) => date + minute * 60),
  );
}

for (const [early, days] of [
  [0, 280],
  [0.5, 100],
  [0.8, 100],
] as const) {
  test(`lost sessions are suspected whatever the hours before are: ${early} of their minutes`, {
    tag: early === 0.5 ? [] : '@endurance',
  }, async () => {
    const judge = async (lost: readonly number[]): Promise<string[]> => {
      const text = formatCsv(makeWalk(listMinutes(days, early, lost), 1, 0.0003));
      const { ranges } = await judgeTables({ a: text }, { gaps: 'sessions' });
      return ranges
        .filter(({ certainty }) => certainty === 'suspicion')
        .flatMap(({ fromIso, rows }) => [fromIso.slice(0, 10), String(rows >= 390)]);
    };
    expect(await judge([])).toEqual([]);
    expect(await judge([30, 40])).toEqual(['2019-02-12', 'true', '2019-02-26', 'true']);
  });
}
