import { unit } from '../../candles/candle-shape.ts';
import { type Markup, markup } from '../../markup.ts';
import { plural } from '../../tally.ts';
import { dateText } from '../format.ts';
import { daysShown } from '../spans.ts';
import { type Condition, conditions, type Stretch } from '../stretches.ts';
import { conditionWords } from '../wording.ts';
import { monthLabels } from './day-axis.ts';
import { region } from './table.ts';

const pitch = 8;
const barWidth = 6.4;
const top = 12;
const height = 44;
const foot = top + height;

/** A bar for each day: as high as what was looked at of the plan, its failed part hanging from a mark above. */
export function dayBars(days: readonly Stretch[], name: string, id: string): Markup {
  const all = days.map((each, index) => ({ ...each, x: index * pitch }));
  const plain = all.filter(({ condition }) => condition === 'ok');
  // A short watch is drawn no larger than a long one.
  const width = Math.max(days.length, daysShown) * pitch;
  const svg = markup`<svg class="chart days" viewBox="0 0 ${width} ${foot + 14}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">Day by day</title><desc id="${id}-text">${daysInWords(days)}</desc>
<path class="base" d="M0 ${foot}h${days.length * pitch}"/><path class="ok" d="${plain.map((day) => box(day.x, foot, heightOf(day))).join('')}"/>${all.filter(({ condition }) => condition !== 'ok').map(drawDay)}${monthLabels(
    days.map(({ begin }) => begin),
    { left: 0, pitch, y: foot + 11 },
  )}</svg>`;
  return markup`<figure class="wide">${region(name, svg, days.length < daysShown ? 'first' : 'newest')}
<figcaption>Height: slots that ran of those planned. ▼ a day with failures, ○ degraded. ${daysInWords(days)}</figcaption></figure>`;
}

type Placed = Stretch & { readonly x: number };

/** Failed and degraded parts keep a size that can be seen. */
function drawDay(day: Placed): Markup {
  const full = heightOf(day);
  const judged = (day.outcomes.ok ?? 0) + (day.outcomes.degraded ?? 0) + (day.outcomes.failed ?? 0);
  const part = (count = 0, least = 0): number => (count === 0 ? 0 : Math.max(least, (full * count) / judged));
  const [failed, degraded] = [part(day.outcomes.failed, 5), part(day.outcomes.degraded, 2.5)];
  const ok = Math.max(0, full - failed - degraded);
  const middle = day.x + barWidth / 2;
  return markup`<g><title>${stretchInWords(day, dateText(day.begin))}</title>${piece('ok', day.x, foot, day.condition === 'silent' ? 0 : ok)}${piece('degraded', day.x, foot - ok, degraded)}${piece('failed', day.x, foot - ok - degraded, failed)}${signOf(day.condition, middle)}</g>`;
}

function signOf(condition: Condition, x: number): Markup | undefined {
  if (condition === 'failed') return markup`<path class="failed" d="M${unit(x - 3.4)} 2h6.8l-3.4 6z"/>`;
  if (condition === 'degraded') return markup`<circle class="degraded ring" cx="${unit(x)}" cy="6" r="1.9"/>`;
  return markup`<path class="silent" d="M${unit(x)} ${foot - 4}v-${height - 4}"/>`;
}

function piece(name: Condition, x: number, y: number, size: number): Markup | undefined {
  return size > 0 ? markup`<path class="${name}" d="${box(x, y, size)}"/>` : undefined;
}

function box(x: number, y: number, size: number): string {
  return `M${unit(x)} ${unit(y)}h${barWidth}v${unit(-size)}h${-barWidth}z`;
}

function heightOf({ run, planned }: Stretch): number {
  return planned === 0 ? 0 : Math.max(2, (height * run) / planned);
}

/** `90 days from … to …: 1 with failures, …`. */
export function daysInWords(days: readonly Stretch[]): string {
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) return 'No days.';
  const counted = conditions.flatMap((condition) => {
    const count = days.filter((each) => each.condition === condition).length;
    return count > 0 ? [`${count} ${conditionWords[condition]}`] : [];
  });
  const time =
    first === last ? dateText(first.begin) : `from ${dateText(first.begin)} to ${dateText(last.begin)}`;
  return `${plural(days.length, 'day')}${first === last ? ',' : ''} ${time}: ${counted.join(', ')}.`;
}

/** `2026-11-03: 3 failed, 93 ok, 96 of 96 slots ran`. */
export function stretchInWords({ outcomes, run, planned }: Stretch, name: string): string {
  const told = Object.entries(outcomes)
    .filter(([, count]) => count)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `${name}: ${[...told, `${run} of ${planned} slots ran`].join(', ')}`;
}
