import { thousands } from '../../../contract/reading/thousands.ts';
import { region } from '../../run/table.ts';
import { type Markup, markup, unit } from '../../words/markup.ts';
import { dateText, instantText } from '../format.ts';
import type { KeyView } from '../quota.ts';
import { day, dayStart } from '../spans.ts';
import { leftText } from '../wording.ts';

const width = 660;
const top = 10;
/** Heights in pixels of a curve, and of a straight line, which needs less space. */
const heights = { curve: 180, straight: 60 };

/** A line counts as straight if it deviates by less than this share of the limit. */
const straight = 0.01;

type Frame = {
  readonly left: number;
  readonly foot: number;
  readonly x: (at: number) => string;
  readonly y: (count: number) => string;
};

/** Renders the rest of a key's month, its trend, and the reserve that no one may touch. */
export function burnDown(view: KeyView, id: string): Markup | undefined {
  const { key, month, newest, readings } = view;
  if (!month || !newest || readings.length === 0) return undefined;
  const highest = readings.reduce((most, reading) => Math.max(most, reading.limit), newest.limit);
  const left = 12 + 6 * thousands(highest).length;
  const height = isStraight(readings, highest) ? heights.straight : heights.curve;
  const foot = top + height;
  const frame: Frame = {
    ...{ left, foot },
    x: (at) => unit(left + (width * (at - month.begin)) / (month.end - month.begin)),
    y: (count) => unit(foot - (height * count) / Math.max(1, highest)),
  };
  const name = `Requests left of the key ${key}`;
  const svg = markup`<svg class="chart burn" viewBox="0 0 ${left + width + 12} ${foot + 18}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${name}</title><desc id="${id}-text">${describeKey(view)}</desc>
${countLabels(highest, frame)}${dateLabels(month.begin, month.end, frame)}<path class="base" d="M${left} ${foot}h${width}"/>${reserveLine(view, frame)}<path class="curve" d="${curve(view, frame)}"/>${forecastLine(view, frame)}${eventSigns(view, frame)}</svg>`;
  return markup`<figure class="wide">${region(name, svg)}<figcaption>Line: left; dashes: forecast by the plan or the last 24 h, whichever takes more; dots: the reserve; ▲ what the ledger saw. ${describeKey(view)}</figcaption></figure>`;
}

function isStraight(readings: KeyView['readings'], limit: number): boolean {
  const [first, last] = [readings.at(0), readings.at(-1)];
  if (!first || !last) return true;
  const pace = (last.remaining - first.remaining) / Math.max(1, last.at - first.at);
  return readings.every(
    ({ at, remaining }) => Math.abs(first.remaining + pace * (at - first.at) - remaining) <= straight * limit,
  );
}

function countLabels(highest: number, { y, left }: Frame): Markup[] {
  return [0, 0.5, 1].map((part) => {
    const at = y(part * highest);
    return markup`<path class="grid" d="M${left} ${at}h${width}"/><text class="tick" text-anchor="end" x="${left - 5}" y="${Number(at) + 3}">${thousands(Math.round(part * highest))}</text>`;
  });
}

function dateLabels(begin: number, end: number, { x, left, foot }: Frame): Markup[] {
  const weeks = Math.floor((end - begin) / (7 * day));
  return Array.from({ length: weeks + 1 }, (_, index) => begin + index * 7 * day).map((at) => {
    const isLast = Number(x(at)) > left + width - 30;
    return markup`<text class="tick"${isLast && markup` text-anchor="end"`} x="${isLast ? left + width : x(at)}" y="${foot + 12}">${dateText(at).slice(5)}</text>`;
  });
}

function curve({ readings }: KeyView, { x, y }: Frame): string {
  return readings
    .map(({ at, remaining }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(remaining)}`)
    .join('');
}

function reserveLine({ reserve }: KeyView, { y, left }: Frame): Markup | undefined {
  if (reserve === 0) return undefined;
  return markup`<path class="reserve" d="M${left} ${y(reserve)}h${width}"/><text class="tick" text-anchor="end" x="${left + width}" y="${Number(y(reserve)) - 3}">reserve ${thousands(reserve)}</text>`;
}

function forecastLine({ newest, forecast, month }: KeyView, { x, y }: Frame): Markup | undefined {
  if (!newest || !forecast || !month) return undefined;
  const end = forecast.exhaustedAt ?? month.end;
  return markup`<path class="forecast" d="M${x(newest.at)} ${y(newest.remaining)}L${x(end)} ${y(forecast.leftAtReset)}"/>`;
}

/** Renders one sign for each day and kind: forty events in a night are one sign. */
function eventSigns({ events, month }: KeyView, { x, foot }: Frame): Markup[] {
  if (!month) return [];
  const monthEvents = events.filter(({ at }) => at >= month.begin && at < month.end);
  const days = [...Map.groupBy(monthEvents, ({ at }) => dayStart(at))].toSorted(([a], [b]) => a - b);
  return days.map(([at, dayEvents]) => {
    const kinds = [...new Set(dayEvents.map(({ kind }) => kind))].toSorted().join(', ');
    const middle = Math.max(at + day / 2, month.begin);
    return markup`<path class="sign" d="M${x(middle)} ${foot - 9}l4 8h-8z"><title>${dateText(at)}: ${kinds}</title></path>`;
  });
}

function describeKey({ newest, forecast, reserve, isOver }: KeyView): string {
  if (!newest) return '';
  const known = `Left on ${instantText(newest.at)} UTC: ${leftText(newest)}.`;
  if (isOver) return `${known} That month is over.`;
  if (!forecast || newest.remaining === 0) return known;
  const { exhaustedAt, reserveAt, leftAtReset } = forecast;
  const reached =
    reserveAt !== undefined && reserve > 0 && `the reserve is reached on ${dateText(reserveAt)}`;
  const spent = exhaustedAt !== undefined && `nothing is left on ${dateText(exhaustedAt)}`;
  const end = [reached, spent].filter((part) => part !== false).join(', ');
  return `${known} At this pace ${end || `${thousands(leftAtReset)} are left at the reset`}.`;
}
