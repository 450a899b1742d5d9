import type { Outcome, Verdict } from '@candleproof/law/judge/verdict';
import { provenObjective } from '@candleproof/law/planning/confidence';
import { thousands } from '@candleproof/law/reading/words';
import { type DayRecord, sumIndicator } from '@candleproof/monitors/page/months';
import { banner } from '@candleproof/reports/run/marks';
import { clip } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup, type Part } from '@candleproof/reports/words/markup';
import type { MonthRecord } from '../month.ts';
import { dayBars } from './runs-over-time.ts';

/** Renders the head of a month: its color and sign, what happened in it, and the lines beneath. */
export function monthHead(name: string, records: readonly MonthRecord[], lines: readonly Part[]): Markup {
  const outcomes = records.map(judgeMonth);
  const outcome = (['failed', 'unexercised'] as const).find((one) => outcomes.includes(one)) ?? 'passed';
  const [verdict, word] = heads[outcome];
  const beneath = markup`${lines.map((line) => markup`<p class="remark">${line}</p>`)}`;
  const title = `${name}: ${happened(records)}`;
  return markup`<header class="page-head">${banner(verdict, word, title, beneath, outcome)}</header>`;
}

type MonthOutcome = Extract<Outcome, 'passed' | 'failed' | 'unexercised'>;

const heads: Readonly<Record<MonthOutcome, readonly [Verdict, string]>> = {
  failed: ['nonconformant', 'Below an objective'],
  unexercised: ['inconclusive', 'Too few probes to prove its objectives'],
  passed: ['conformant', 'Objectives met'],
};

/** Judges a month: failed if a share is below its objective, passed only if its probes prove every objective. */
function judgeMonth({ days, objectives }: MonthRecord): MonthOutcome {
  const measured = objectives.map(({ indicator, objective }) => ({
    objective,
    ...sumIndicator(days, indicator),
  }));
  if (measured.some(({ good, bad, objective }) => good < objective * (good + bad))) return 'failed';
  const isProven = measured.every(
    ({ good, bad, objective }) => provenObjective(good, good + bad) >= objective,
  );
  return isProven && measured.length > 0 ? 'passed' : 'unexercised';
}

/** `2 incidents`; a failed probe is named even if it began none, as one of `monitor --once` does not. */
function happened(records: readonly MonthRecord[]): string {
  const incidents = plural(
    records.reduce((sum, record) => sum + record.incidents.length, 0),
    'incident',
  );
  const days = records.flatMap((record) => record.days);
  const failed = days.reduce((sum, { outcomes }) => sum + (outcomes.failed ?? 0), 0);
  const ran = days.reduce((sum, day) => sum + day.ran, 0);
  if (failed === 0 || incidents !== '0 incidents') return incidents;
  return `${thousands(failed)} of ${plural(ran, 'probe')} failed, no incident`;
}

/** Renders a bar for each day of a month: full if anything was bad, dashed if nothing ran. */
export function monthBars({ days, month, location }: MonthRecord): Markup {
  const [year = 0, at = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, at, 0)).getUTCDate();
  const byDay = new Map(days.map((record) => [record.day, record]));
  const all = Array.from({ length }, (_, index) => {
    const date = `${month}-${String(index + 1).padStart(2, '0')}`;
    return { date, worst: judgeDay(byDay.get(date)) };
  });
  return dayBars(all, `Days seen from ${clip(location, 80)}`);
}

function judgeDay(record: DayRecord | undefined): Outcome | undefined {
  if (!record || record.ran === 0) return undefined;
  const counts = Object.values(record.indicators);
  if (counts.length === 0) return 'inconclusive';
  return counts.some(({ bad }) => bad > 0) ? 'failed' : 'passed';
}
