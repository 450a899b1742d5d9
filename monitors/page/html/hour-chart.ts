import { instantText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { hour, roundToBegin } from '../../results/calendar.ts';
import type { Indicator } from '../../results/probe-record.ts';
import type { HourCounts } from '../page-facts.ts';

const [pitch, width, foot, height] = [12.4, 10, 70, 44];
const shown = 24;

/** Draws the slots of the last 24 hours in which an indicator was bad, a bar an hour; a good hour is a low bar. */
export function hourChart(
  hours: readonly HourCounts[],
  indicator: Indicator,
  now: number,
  id: string,
): Markup | undefined {
  const first = roundToBegin(now, hour) - (shown - 1) * hour;
  const all = Array.from({ length: shown }, (_, at) => {
    const records = hours.filter(({ begin }) => begin === first + at * hour);
    const counts = records.flatMap(({ indicators }) => indicators?.[indicator] ?? []);
    const bad = counts.reduce((sum, each) => sum + each.bad, 0);
    return { at, bad, slots: counts.reduce((sum, each) => sum + each.good + each.bad, 0) };
  });
  const worst = all.filter(({ bad }) => bad > 0);
  const [begin, end] = [worst[0], worst.at(-1)];
  if (!begin || !end) return undefined;
  const most = Math.max(...worst.map(({ bad }) => bad));
  const bars = all.map(({ at, bad, slots }) => {
    const tall = bad > 0 ? Math.max(8, (height * bad) / most) : 4;
    const name = bad > 0 ? 'failed' : slots > 0 ? 'ok' : 'unseen-hour';
    return markup`<rect class="${name}" x="${unit(at * pitch)}" y="${unit(foot - tall)}" width="${width}" height="${unit(tall)}"/>`;
  });
  const time = (at: number): string => instantText(first + at * hour).slice(11);
  const words = `${time(begin.at)} to ${time(end.at + 1)}`;
  const total = worst.reduce((sum, { bad }) => sum + bad, 0);
  const isLate = begin.at > 12;
  return markup`<svg class="chart hours-of-day" viewBox="0 0 300 92" role="img" aria-labelledby="${id}"><title id="${id}">${plural(total, 'bad slot')} of the last 24 hours, from ${words} UTC</title><text class="head" x="0" y="13">Bad slots an hour, at most ${most} (UTC)</text>${bars}${begin.at > 3 && markup`<text class="tick" x="0" y="87">${time(0)}</text>`}<text class="tick when"${isLate && markup` text-anchor="end"`} x="${unit(isLate ? (end.at + 1) * pitch : begin.at * pitch)}" y="87">${words}</text></svg>`;
}
