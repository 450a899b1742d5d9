import { expect, test } from '@playwright/test';
import { listClosedDays } from '../testing/closed-days.ts';
import { formatCsv, isoTime, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const [hour, day] = [3600, 86_400];

/** Lists the suspected gaps of rows: the first time without a row, and how many. */
async function listGaps(rows: readonly SampleRow[]): Promise<string[]> {
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  return ranges
    .filter(({ kind, certainty }) => kind === 'gap' && certainty === 'suspicion')
    .map(({ fromIso, rows }) => `${fromIso.slice(0, 10)} ${rows}`);
}

const weekday = (time: number): number => new Date(time * 1000).getUTCDay();
const isBetween = (time: number, from: string, to: string): boolean =>
  isoTime(time).slice(0, 10) >= from && isoTime(time).slice(0, 10) <= to;

/** Makes the days from 2021 on, for so many years, on which Moscow is open, but those of a span. */
function makeMoscow(years: number, from: string, to: string): SampleRow[] {
  const closed = listClosedDays('Moscow');
  const times = listTimes(years * 365, day, Date.UTC(2021) / 1000).filter(
    (time) => weekday(time) % 6 !== 0 && !closed.has(time / day) && !isBetween(time, from, to),
  );
  return makeWalk(times, 1, 0.01);
}

test('a venue that reopens some days after its exchange lacks no row, and one that does so weeks later does', async () => {
  expect(await listGaps(makeMoscow(4, '2022-02-28', '2022-03-28'))).toEqual([]);
  expect(await listGaps(makeMoscow(4, '2022-02-28', '2022-04-29'))).toEqual(['2022-02-28 27']);
});

test('a suspension hides no holidays of an exchange', async () => {
  expect(await listGaps(makeMoscow(2, '2021-06-01', '2021-08-31'))).toEqual(['2021-06-01 66']);
});

test('weekends without a session are no gap where only some have one', async () => {
  const times = listTimes(2 * 365 * 24, hour, Date.UTC(2024) / 1000).filter((time) => {
    const isWeekend = weekday(time) % 6 === 0;
    const isOpen =
      !isWeekend ||
      (isBetween(time, '2025-03-01', '2025-10-31') && !isBetween(time, '2025-06-21', '2025-06-22'));
    return isOpen && (time / hour) % 24 >= 8 && (time / hour) % 24 < 19;
  });
  expect(await listGaps(makeWalk(times, 2, 0.002))).toEqual([]);
});

test('a week around the new year by the moon is no gap of a market that no calendar has, another week is', async () => {
  const times = listTimes(500, day, Date.UTC(2023, 6) / 1000).filter((time) => weekday(time) % 6 !== 0);
  const without = (from: string, to: string): Promise<string[]> =>
    listGaps(
      makeWalk(
        times.filter((time) => !isBetween(time, from, to)),
        3,
        0.01,
      ),
    );
  expect(await without('2024-02-08', '2024-02-14')).toEqual([]);
  expect(await without('2024-03-07', '2024-03-13')).toEqual(['2024-03-07 5']);
});

test('days beside which hardly a lot is traded may have had no trade', async () => {
  const all = makeWalk(
    listTimes(900, day, Date.UTC(2020) / 1000).filter((time) => weekday(time) % 6 !== 0),
    4,
    0.01,
  );
  const without = (volume: number): Promise<string[]> =>
    listGaps(
      all
        .map((row, at) => (at === 299 || at === 320 ? { ...row, volume } : { ...row, volume: 100_000 + at }))
        .filter((_, at) => at < 300 || at >= 320),
    );
  expect(await without(20)).toEqual([]);
  expect(await without(20_000)).toHaveLength(1);
});

test('the last minutes of a Friday and the first of a Sunday may have no quote', async () => {
  const times = listTimes(60 * 288, 300, Date.UTC(2024, 0, 7) / 1000).filter((time) => {
    const [of, at] = [weekday(time), (time / hour) % 24];
    return of !== 6 && (of !== 0 || at >= 22) && (of !== 5 || at < 22);
  });
  const rows = makeWalk(times, 5, 0.001);
  const without = (...lost: string[]): Promise<string[]> =>
    listGaps(rows.filter(({ time }) => !lost.includes(isoTime(time).slice(0, 16))));
  expect(await without('2024-02-02 21:55', '2024-02-04 22:00')).toEqual([]);
  expect(await without('2024-02-02 21:50', '2024-02-02 21:55', '2024-02-04 22:00')).toHaveLength(1);
});
