import { wideTableStyles } from '@candleproof/reports/run/table';
import { formatMilliseconds, formatRate } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { countDue, sliceSeconds } from '../bill.ts';
import { bucketStart, computePercentile, type LoadHistogram } from '../histogram.ts';
import type { LoadRun } from '../load-run.ts';

const size = { width: 800, height: 220, left: 44, bottom: 24, top: 10 };

/** Returns the requests per second that were due in each slice. */
export function offeredRates({ trial: { load }, figures }: LoadRun): number[] {
  const seconds = sliceSeconds(load);
  return figures.slices.map(
    (_, at) => (countDue(load, (at + 1) * seconds) - countDue(load, at * seconds)) / seconds,
  );
}

/**
 * Draws requests per second in each slice: offered as a line, answered and failed as bars. A table gives the same
 * numbers.
 */
export function throughputChart(run: LoadRun): Markup {
  const { figures } = run;
  const seconds = sliceSeconds(run.trial.load);
  const offered = offeredRates(run);
  const most = Math.max(1e-9, ...offered, ...figures.slices.map((slice) => slice.sent / seconds));
  const step = (size.width - size.left) / figures.slices.length;
  const floor = size.height - size.bottom;
  const y = (rate: number): number => floor - (rate / most) * (floor - size.top);
  const x = (slice: number): number => size.left + slice * step;
  const bars = figures.slices.map(({ sent, errors, limited }, at) => {
    const bad = (errors + limited) / seconds;
    const all = sent / seconds;
    return markup`<rect class="answered" x="${unit(x(at) + 1)}" y="${unit(y(all))}" width="${unit(step - 2)}" height="${unit(floor - y(all))}"/>${bad > 0 && markup`<rect class="errors" x="${unit(x(at) + 1)}" y="${unit(y(bad))}" width="${unit(step - 2)}" height="${unit(floor - y(bad))}"/>`}`;
  });
  const line = offered.flatMap((rate, at) => [
    `${unit(x(at))},${unit(y(rate))}`,
    `${unit(x(at + 1))},${unit(y(rate))}`,
  ]);
  return markup`<figure class="load-chart"><svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Requests a second over time: offered, sent and failed">
<text x="${size.left - 6}" y="${unit(y(most) + 4)}" text-anchor="end">${formatRate(most)}</text><text x="${size.left - 6}" y="${floor}" text-anchor="end">0</text>
${bars}<polyline class="offered" points="${line.join(' ')}"/><line class="axis" x1="${size.left}" y1="${floor}" x2="${size.width}" y2="${floor}"/>
<text x="${size.left}" y="${size.height - 6}">0 s</text><text x="${size.width}" y="${size.height - 6}" text-anchor="end">${Math.round(seconds * figures.slices.length)} s</text>
</svg><figcaption>Requests a second, up to ${formatRate(most)}, over ${Math.round(seconds * figures.slices.length)} s: <b class="key-offered">offered</b>, <b class="key-answered">sent</b>, <b class="key-errors">failed or refused</b></figcaption></figure>`;
}

/** The range in which a latency lies, in microseconds. */
export type LatencyRange = { readonly from: number; readonly to: number };

/** Returns the power-of-two range that holds a percentile, as far as the slowest request of the run reaches. */
export function percentileRange(
  coarse: LoadHistogram,
  p: number,
  slowest = Number.POSITIVE_INFINITY,
): LatencyRange | undefined {
  const fine = Object.fromEntries(Object.entries(coarse).map(([bucket, n]) => [8 * Number(bucket), n]));
  const value = computePercentile(fine, p);
  const bucket = Object.keys(fine).findLast(
    (start) => value !== undefined && bucketStart(Number(start)) <= value,
  );
  if (bucket === undefined) return undefined;
  const [from, to] = [bucketStart(Number(bucket)), bucketStart(Number(bucket) + 8)];
  return { from: Math.min(from, slowest), to: Math.min(to, slowest) };
}

const plot = { width: 300, left: 50, right: 10, top: 16, tall: 84, gap: 26, low: 44, foot: 30 };

/** Draws the 95th percentile of latency and the share of wrong answers over the offered rate, a mark for each slice. */
export function latencyChart(run: LoadRun): Markup {
  const offered = offeredRates(run);
  const slices = run.figures.slices.map(({ latency, judged, breached }, at) => ({
    rate: offered[at] ?? 0,
    p95: percentileRange(latency, 0.95, computePercentile(run.figures.latency, 1)),
    wrong: judged > 0 ? breached / judged : undefined,
  }));
  const [most, slowest] = [
    Math.max(1e-9, ...slices.map(({ rate }) => rate)),
    Math.max(1e-9, ...slices.map(({ p95 }) => p95?.to ?? 0)),
  ];
  const x = (rate: number): number => plot.left + (rate / most) * (plot.width - plot.left - plot.right);
  const floor = plot.top + plot.tall;
  const bottom = floor + plot.gap + plot.low;
  const dots = slices.map(({ rate, p95, wrong }) => {
    const isWrong = wrong !== undefined && wrong > 0;
    return markup`${p95 !== undefined && markup`<path class="p95" d="M${unit(x(rate))} ${unit(floor - (p95.from / slowest) * plot.tall)}V${unit(floor - (p95.to / slowest) * plot.tall - 1)}"/>`}${wrong !== undefined && markup`<rect class="${isWrong ? 'errors' : 'right'}" x="${unit(x(rate) - 2)}" y="${unit(bottom - Math.max(2, wrong * plot.low))}" width="4" height="${unit(Math.max(2, wrong * plot.low))}"/>`}`;
  });
  return markup`<figure class="load-chart over-rate"><svg viewBox="0 0 ${plot.width} ${bottom + plot.foot}" role="img" aria-label="Latency, p95 between powers of two, and wrong answers over the offered rate, up to ${formatRate(most)} requests a second">
<text x="${plot.left}" y="11">p95 of latency, up to ${formatMilliseconds(slowest)}</text><line class="axis" x1="${plot.left}" y1="${floor}" x2="${plot.width}" y2="${floor}"/>
<text x="${plot.left}" y="${floor + 17}">wrong, of the judged</text><line class="axis" x1="${plot.left}" y1="${bottom}" x2="${plot.width}" y2="${bottom}"/><text x="${plot.left - 4}" y="${bottom - plot.low + 8}" text-anchor="end">100 %</text><text x="${plot.left - 4}" y="${bottom}" text-anchor="end">0</text>
${dots}<text x="${plot.left}" y="${bottom + 14}">0</text><text x="${plot.width}" y="${bottom + 14}" text-anchor="end">${formatRate(most)}</text><text x="${(plot.left + plot.width) / 2}" y="${bottom + 26}" text-anchor="middle">offered requests a second</text>
</svg></figure>`;
}

const chartStyles = `
figure.load-chart { display: block; margin-top: var(--s3); } .load-chart svg { display: block; width: 100%; max-width: none; height: auto; } .load-chart text { font-size: 12px; fill: var(--soft); }
.load-chart .answered { fill: var(--ok); } .load-chart .errors { fill: var(--bad); } .load-chart .axis { stroke: var(--line); }
.load-chart .offered { fill: none; stroke: var(--link); stroke-width: 2; }
.load-chart figcaption { font-size: var(--sm); color: var(--soft); } .key-offered { color: var(--link); } .key-answered { color: var(--pass); } .key-errors { color: var(--fail); }
.over-rate svg { min-width: 17.5rem; max-width: 24rem; } .over-rate text { font-size: 12px; } .load-chart .p95 { stroke: var(--link); stroke-width: 4; } .load-chart .right { fill: var(--ok); }
@media screen and (max-width: 52rem) { .load-chart:not(.over-rate) text { display: none; } }
@media print { .load-chart svg { max-width: 120mm; } .load-chart text { font-size: 20px; } .over-rate text { font-size: 12px; } }
`;

export const loadStyles = wideTableStyles + chartStyles;
