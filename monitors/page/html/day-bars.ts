import { region } from '@candleproof/reports/run/table';
import { dateText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { conditionWords, type StretchCondition, type WatchStretch } from '../coverage.ts';
import { daysShown, lastDays } from '../days.ts';

const pitch = 8;
const barWidth = 6.4;
const top = 12;
const height = 44;
const foot = top + height;

/**
 * Draws a bar for each day, in which all planned slots have equal height; signs above mark parts that are too thin to
 * see.
 */
export function dayBars(days: readonly WatchStretch[], name: string, id: string): Markup {
  const all = days.map((day, index) => ({ ...day, x: index * pitch }));
  const plain = all.filter(({ condition }) => condition === 'ok');
  // A short watch is drawn at the scale of a long one.
  const width = Math.max(days.length, daysShown) * pitch;
  const svg = markup`<svg class="chart days" viewBox="0 0 ${width} ${foot + 16}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">Day by day</title><desc id="${id}-text">${daysInWords(days)}</desc>
<path class="base" d="M0 ${foot}h${days.length * pitch}"/><path class="ok" d="${plain.map((day) => box(day.x, foot, barHeight(day, 'ok'))).join('')}"/><path class="silent" d="${plain.map((day) => muteLine(day, barHeight(day, 'ok'))).join('')}"/>${all.filter(({ condition }) => condition !== 'ok').map(drawDay)}${monthLabels(
    days.map(({ begin }) => begin),
    { left: 0, pitch, y: foot + 13 },
  )}</svg>`;
  return markup`<figure class="wide">${region(name, svg, days.length < daysShown ? 'first' : 'newest')}
<figcaption>Height, to scale: slots of those planned, from the foot ok, degraded, failed, and dashed what ran and reported nothing of the service. ▼ a day with failures, however few, ○ degraded. ${daysInWords(days)}</figcaption></figure>`;
}

/** The measures of a strip: of a day, of its bar, and of the height. */
export const strip = { pitch: 3, width: 2.2, height: 30 } as const;
/** Tops of a day's bar by its condition: conditions differ by height as well as by color. */
export const stripTops: Readonly<Record<StretchCondition, number>> = {
  failed: 0,
  degraded: 14,
  ok: 7,
  silent: 7,
};

/**
 * Renders the last 90 days of any watch on one axis, a bar each; a day before the first slot or without a probe is
 * dashed. Days with trouble are named.
 */
export function dayStrip(days: readonly WatchStretch[], now: number, id: string): Markup {
  const found = new Map(days.map((day) => [day.begin, day]));
  const all = lastDays(now, daysShown).map((begin, index) => ({ begin, index, day: found.get(begin) }));
  const having = (condition: StretchCondition): typeof all =>
    all.filter(({ day }) => (day?.condition ?? 'silent') === condition);
  const dashes = having('silent').map(
    ({ index }) => `M${unit(index * strip.pitch + strip.width / 2)} ${strip.height}V${stripTops.silent}`,
  );
  const troubled = (['degraded', 'failed'] as const).flatMap((condition) =>
    having(condition).map(
      ({ day, begin, index }) =>
        markup`<path class="${condition}" d="${bar(condition, index)}"><title>${day && stretchInWords(day, dateText(begin))}</title></path>`,
    ),
  );
  const good = having('ok').map(({ index }) => bar('ok', index));
  return markup`<svg class="chart strip-of-days" viewBox="0 0 ${daysShown * strip.pitch} ${strip.height + 15}" role="img" aria-labelledby="${id}"><title id="${id}">${daysInWords(days)}</title><path class="silent" d="${dashes.join('')}"/><path class="ok" d="${good.join('')}"/>${troubled}${all.map(({ begin, index }) => monthTick(begin, index))}</svg>`;
}

function bar(condition: StretchCondition, index: number): string {
  return `M${unit(index * strip.pitch)} ${strip.height}h${strip.width}V${stripTops[condition]}h${-strip.width}z`;
}

const monthNames = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function monthTick(begin: number, index: number): Markup | undefined {
  const date = new Date(begin);
  if (date.getUTCDate() !== 1) return undefined;
  return markup`<text class="tick"${index > daysShown - 10 && markup` text-anchor="end"`} x="${unit(index * strip.pitch)}" y="${strip.height + 12}">${monthNames.format(date)}</text>`;
}

type Placed = WatchStretch & { readonly x: number };

function drawDay(day: Placed): Markup {
  const [ok, degraded, failed] = [barHeight(day, 'ok'), barHeight(day, 'degraded'), barHeight(day, 'failed')];
  const mute = day.condition === 'silent' ? '' : muteLine(day, ok + degraded + failed);
  return markup`<g><title>${stretchInWords(day, dateText(day.begin))}</title>${piece('ok', day.x, foot, ok)}${piece('degraded', day.x, foot - ok, degraded)}${piece('failed', day.x, foot - ok - degraded, failed)}${mute && markup`<path class="silent" d="${mute}"/>`}${conditionSign(day.condition, day.x + barWidth / 2)}</g>`;
}

/** Draws slots that ran without a result, such as those that our quota refused, above those with one. */
function muteLine(day: Placed, above: number): string {
  const { ok = 0, degraded = 0, failed = 0 } = day.outcomes;
  const size = barScale(day) * Math.max(0, day.run - ok - degraded - failed);
  return size > 0 ? `M${unit(day.x + barWidth / 2)} ${unit(foot - above)}v${unit(-size)}` : '';
}

function conditionSign(condition: StretchCondition, x: number): Markup | undefined {
  if (condition === 'failed') return markup`<path class="failed" d="M${unit(x - 3.4)} 2h6.8l-3.4 6z"/>`;
  if (condition === 'degraded') return markup`<circle class="degraded ring" cx="${unit(x)}" cy="6" r="1.9"/>`;
  return markup`<path class="silent" d="M${unit(x)} ${foot - 4}v-${height - 4}"/>`;
}

function piece(name: StretchCondition, x: number, y: number, size: number): Markup | undefined {
  return size > 0 ? markup`<path class="${name}" d="${box(x, y, size)}"/>` : undefined;
}

function box(x: number, y: number, size: number): string {
  return `M${unit(x)} ${unit(y)}h${barWidth}v${unit(-size)}h${-barWidth}z`;
}

function barHeight(day: WatchStretch, outcome: 'ok' | 'degraded' | 'failed'): number {
  return barScale(day) * (day.outcomes[outcome] ?? 0);
}

function barScale({ planned }: WatchStretch): number {
  return planned === 0 ? 0 : height / planned;
}

/** Counts days by condition: `90 days from … to …: 1 with failures, …`. */
export function daysInWords(days: readonly WatchStretch[]): string {
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) return 'No days.';
  const counted = Object.entries(conditionWords).flatMap(([condition, words]) => {
    const count = days.filter((day) => day.condition === condition).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  const time =
    first === last ? dateText(first.begin) : `from ${dateText(first.begin)} to ${dateText(last.begin)}`;
  return `${plural(days.length, 'day')}${first === last ? ',' : ''} ${time}: ${counted.join(', ')}.`;
}

/** `2026-11-03: 3 failed, 93 ok, 96 of 96 slots ran`. */
export function stretchInWords({ outcomes, run, planned }: WatchStretch, name: string): string {
  const reported = Object.entries(outcomes)
    .filter(([, count]) => count)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `${name}: ${[...reported, `${run} of ${planned} slots ran`].join(', ')}`;
}

export type DayAxis = { readonly left: number; readonly pitch: number; readonly y: number };
/** Labels the first day of each month with its date, and the first day of all if there is room. */
export function monthLabels(begins: readonly number[], { left, pitch, y }: DayAxis): Markup[] {
  const firsts = begins.flatMap((begin, index) => (dateText(begin).endsWith('-01') ? [index] : []));
  const room = Math.ceil(76 / pitch);
  const shown = [...((firsts[0] ?? room) >= room && begins.length > 0 ? [0] : []), ...firsts];
  return shown.map((index) => {
    const x = left + index * pitch;
    // A chart is at least 90 days wide.
    const isLate = index > Math.max(begins.length, daysShown) - room;
    return markup`<text class="tick"${isLate && markup` text-anchor="end"`} x="${unit(isLate ? x + pitch : x)}" y="${y}">${dateText(begins[index] ?? 0)}</text>`;
  });
}
