import { countDue } from '../../load/bill.ts';
import type { LoadRun } from '../../load/load-run.ts';
import { sliceSeconds } from '../../load/slices.ts';
import { formatRate } from '../monitor/format.ts';
import { wideTableStyles } from '../run/table.ts';
import { type Markup, markup } from '../words/markup.ts';

const size = { width: 800, height: 220, left: 44, bottom: 24, top: 10 };

/** Requests a second in each slice: offered as a line, answered and failed as bars. Its table tells the same in numbers. */
export function throughputChart({ trial: { load }, figures }: LoadRun): Markup {
  const seconds = sliceSeconds(load);
  const offered = figures.slices.map(
    (_, at) => (countDue(load, (at + 1) * seconds) - countDue(load, at * seconds)) / seconds,
  );
  const most = Math.max(1e-9, ...offered, ...figures.slices.map((each) => each.sent / seconds));
  const step = (size.width - size.left) / figures.slices.length;
  const floor = size.height - size.bottom;
  const y = (rate: number): number => floor - (rate / most) * (floor - size.top);
  const x = (slice: number): number => size.left + slice * step;
  const bars = figures.slices.map(({ sent, errors, limited }, at) => {
    const bad = (errors + limited) / seconds;
    const all = sent / seconds;
    return markup`<rect class="answered" x="${n(x(at) + 1)}" y="${n(y(all))}" width="${n(step - 2)}" height="${n(floor - y(all))}"/>${bad > 0 && markup`<rect class="errors" x="${n(x(at) + 1)}" y="${n(y(bad))}" width="${n(step - 2)}" height="${n(floor - y(bad))}"/>`}`;
  });
  const line = offered.flatMap((rate, at) => [`${n(x(at))},${n(y(rate))}`, `${n(x(at + 1))},${n(y(rate))}`]);
  return markup`<figure class="load-chart"><svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Requests a second over time: offered, sent and failed">
<text x="${size.left - 6}" y="${n(y(most) + 4)}" text-anchor="end">${formatRate(most)}</text><text x="${size.left - 6}" y="${floor}" text-anchor="end">0</text>
${bars}<polyline class="offered" points="${line.join(' ')}"/><line class="axis" x1="${size.left}" y1="${floor}" x2="${size.width}" y2="${floor}"/>
<text x="${size.left}" y="${size.height - 6}">0 s</text><text x="${size.width}" y="${size.height - 6}" text-anchor="end">${Math.round(seconds * figures.slices.length)} s</text>
</svg><figcaption>Requests a second, up to ${formatRate(most)}, over ${Math.round(seconds * figures.slices.length)} s: <b class="key-offered">offered</b>, <b class="key-answered">sent</b>, <b class="key-errors">failed or refused</b></figcaption></figure>`;
}

function n(value: number): string {
  return value.toFixed(1);
}

const chartStyles = `
figure.load-chart { display: block; margin-top: .8rem; } .load-chart svg { display: block; width: 100%; max-width: none; height: auto; } .load-chart text { font-size: 12px; fill: var(--soft); }
.load-chart .answered { fill: var(--pass); opacity: .55; } .load-chart .errors { fill: var(--fail); } .load-chart .axis { stroke: var(--line); }
.load-chart .offered { fill: none; stroke: var(--link); stroke-width: 2; }
.load-chart figcaption { font-size: .9rem; color: var(--soft); } .key-offered { color: var(--link); } .key-answered { color: var(--pass); } .key-errors { color: var(--fail); }
@media (max-width: 34rem) { .load-chart text { display: none; } }
@media print { .load-chart svg { max-width: 120mm; } .load-chart text { font-size: 16px; } }
`;

/** Styles of load reports. */
export const loadStyles = wideTableStyles + chartStyles;
