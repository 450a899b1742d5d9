import type { Example } from '@candleproof/law/judge/verdict';
import { capitalize, thousands } from '@candleproof/law/reading/words';
import type { DrawnCandle, Picture, QuotaUse } from '@candleproof/law/rules/breach';
import { addressExample, type PlacedPicture } from '../candles/addressed.ts';
import { amountsSvg, describeAmounts, hasAmounts } from '../candles/amounts.ts';
import { describeCandles, describeStep, fields, formatSpan, hasOffScale } from '../candles/figures.ts';
import { findRepeated, type Lane, lanesSvg } from '../candles/lanes.ts';
import { sheet } from '../candles/layout.ts';
import { describeStrip, gapsTable, stripSvg } from '../candles/strip.ts';
import { candlesSvg } from '../candles/svg.ts';
import { durationText, formatInstant, formatMinute, formatPrice } from '../words/format.ts';
import { type Markup, markup, unit } from '../words/markup.ts';

/** Returns the address of a row in its exchange; undefined if the page does not link to it. */
export type RowLink = (exchange: number, pointer: string) => string | undefined;

/** Renders the picture of an example: a sentence, the expected and received values, and links to both exchanges. */
export function evidenceFigure(
  example: Example,
  id: string,
  row: RowLink,
  shownStrip?: PlacedPicture['strip'],
): Markup | undefined {
  const { candles, picture } = addressExample(example);
  const { counts, instants, missing = [], strip = shownStrip } = picture;
  if (counts) return figure(example, describeCounts(counts, example.exchange), countsSvg(counts, id), row);
  if (instants) return figure(example, describeInstants(instants), instantsSvg(instants, id), row);
  const [twice] = findRepeated(candles);
  const isOfOneAnswer = (example.beside ?? []).length === 0;
  if (missing.length > 0 || (twice && isOfOneAnswer)) {
    const sentence =
      missing.length > 0
        ? describeMissing(picture)
        : `${formatMinute(twice?.start ?? 0)} UTC has more than one candle`;
    const lanes = lanesSvg(listLanes(candles, picture), sentence, id);
    // A strip shows more than the lanes where gaps lie apart from the first one.
    const all = strip && strip.gaps.length > 1 ? strip : undefined;
    const whole = all && markup`<p class="remark">${capitalize(describeStrip(all))}</p>${stripSvg(all)}`;
    const drawing = markup`<div class="all-gaps"><div>${lanes}${whole}</div>${all && gapsTable(all)}</div>`;
    return figure(example, sentence, drawing, row);
  }
  return candles.length > 0 ? candlesFigure(example, candles, id, row) : undefined;
}

function figure(example: Example, sentence: string, drawing: Markup, row: RowLink): Markup {
  return markup`<figure class="evidence"><figcaption><p><b>${sentence}.</b> ${exchangeLinks(example, row)}</p></figcaption>${drawing}</figure>`;
}

function listLanes(candles: readonly DrawnCandle[], { missing = [], other }: PlacedPicture): Lane[] {
  const last = Math.max(...[...candles, ...(other?.candles ?? [])].map(({ end }) => end));
  // After the last candle, only a gap that follows it directly has a place on the axis.
  let end = last;
  const placed = missing.filter((slot) => {
    const hasPlace = slot.start <= end;
    if (hasPlace) end = Math.max(end, slot.end);
    return hasPlace;
  });
  const received = { name: `${other?.own ?? 'received'}${other ? ' answer' : ''}`, candles, missing: placed };
  return other
    ? [{ name: `${other.name} answer`, candles: other.candles, missing: [] }, received]
    : [received];
}

const mostNamed = 3;

/** Most missing candles in a picture; there may be others. */
const mostMissing = 26;

/** `2026-11-22 23:00 UTC is in the plain answer and not in the inverted one` */
function describeMissing({ missing = [], other }: Picture): string {
  const times = missing.slice(0, mostNamed).map(({ start }) => `${formatMinute(start)} UTC`);
  const rest = missing.length - times.length;
  const more = missing.length >= mostMissing ? ' and more' : rest > 0 ? ` and ${thousands(rest)} more` : '';
  const named = other?.own === 'this' ? 'this' : `the ${other?.own}`;
  const where = other ? `in the ${other.name} answer and not in ${named} one` : 'missing';
  return `${times.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} ${where}`;
}

/** Links the exchange of an example and those that it is compared with, at their rows. */
function exchangeLinks({ exchange, pointer, beside = [] }: Example, row: RowLink): Markup {
  const subject = beside.find((mark) => mark.exchange === exchange) ?? { exchange, pointer };
  const all = [subject, ...beside.filter((mark) => mark.exchange !== exchange)];
  return markup`${all.map((mark, index) => {
    const href = row(mark.exchange, mark.pointer);
    const name = `exchange ${mark.exchange}`;
    return markup`${index === 0 ? 'Seen in ' : ', beside '}${href === undefined ? name : markup`<a href="${href}">${name}</a>`}`;
  })}.`;
}

function candlesFigure(example: Example, candles: readonly DrawnCandle[], id: string, row: RowLink): Markup {
  const { field, pointer } = example;
  if (field !== undefined && hasAmounts(candles)) {
    const values = markup`<p>${describeAmounts(candles, field)}</p><p>${exchangeLinks(example, row)}</p>`;
    return markup`<figure>${amountsSvg(candles, field, id)}<figcaption>${values}</figcaption></figure>`;
  }
  const offending = candles.filter((candle) => candle.offending).slice(0, 2);
  const step = describeStep(candles);
  return markup`<figure>${candlesSvg(candles, id)}
<figcaption>${step && markup`<p><b>${capitalize(step)}.</b></p>`}${offending.length > 0 ? offending.map((drawnCandle) => candleNumbers(drawnCandle, field === 'average' ? 'avg' : (field ?? pointer.slice(pointer.lastIndexOf('/') + 1)))) : markup`<p>${describeCandles(candles)}</p>`}
<p>${exchangeLinks(example, row)}</p><p class="key">hollow: closes higher · filled: closes lower ${candles.some(({ avg }) => avg !== undefined) && ' · ◆ average'}${offending.length > 0 && ' · ▲ beneath: the candle in question'}${hasOffScale(candles) && ' · ▲ ▼ at the edge: off the scale'}</p></figcaption></figure>`;
}

/** Renders a candle's numbers, highlighting the one in question. */
function candleNumbers(candle: DrawnCandle, named: string | undefined): Markup {
  const cells = fields.flatMap((field) => {
    const price = candle[field];
    if (price === undefined) return [];
    return [
      markup`<div${field === named && markup` class="named"`}><dt>${field}</dt><dd>${formatPrice(price)}</dd></div>`,
    ];
  });
  return markup`<p>${formatSpan(candle.start, candle.end)}</p><dl class="numbers">${cells}</dl>`;
}

type Instants = NonNullable<Picture['instants']>;
const { width } = sheet;
const side = 44;

/** Draws the use of a quota over answers: dashed as the requests imply, solid as the answers report. */
function countsSvg(counts: readonly QuotaUse[], id: string): Markup {
  const values = counts.flatMap(({ expected, actual }) => [expected, actual]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (index: number): number => side + (index * (width - 2 * side)) / Math.max(1, counts.length - 1);
  const y = (value: number): number => 112 - ((value - least) / Math.max(1, most - least)) * 96;
  const path = (pick: (use: QuotaUse) => number): string =>
    counts
      .map((count, index) => `${index === 0 ? 'M' : 'L'}${unit(x(index))} ${unit(y(pick(count)))}`)
      .join('');
  const wrong = counts.findIndex(({ expected, actual }) => expected !== actual);
  const last = counts.length - 1;
  return markup`<svg class="candles readings" viewBox="0 0 ${width} 150" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Counters against requests</title><desc id="${id}-text">${describeCounts(counts)}</desc>
${wrong >= 0 && markup`<rect class="band" x="${unit(x(wrong) - 6)}" y="10" width="12" height="106"/>`}<path class="base" d="M${side} 116H${width - side}"/>
<path class="expected" d="${path(({ expected }) => expected)}"/><path class="actual-line" d="${path(({ actual }) => actual)}"/>
${counts.map(({ actual, expected }, index) => markup`<circle class="dot${actual !== expected && ' wrong'}" cx="${unit(x(index))}" cy="${unit(y(actual))}" r="3"/>`)}
${counts.flatMap(({ exchange }, index) => (index % Math.ceil(counts.length / 7) === 0 ? [markup`<text class="time" x="${unit(x(index))}" y="130">${exchange}</text>`] : []))}
<text class="time" x="${width / 2}" y="146">answer, by its exchange</text><text x="${width - side + 3}" y="${unit(y(counts[last]?.actual ?? 0) + 3)}">${thousands(counts[last]?.actual ?? 0)}</text><text x="2" y="${unit(y(least) + 3)}">${thousands(least)}</text></svg>`;
}

/** `Exchange 14 shows 17 requests used in place of 16`: for this exchange, or for the first wrong one. */
function describeCounts(counts: readonly QuotaUse[], exchange?: number): string {
  const wrong = counts.filter(({ expected, actual }) => expected !== actual);
  const named = wrong.find((quotaUse) => quotaUse.exchange === exchange) ?? wrong[0];
  if (!named) return 'Every answer counts its requests';
  return `Exchange ${named.exchange} shows ${thousands(named.actual)} requests used in place of ${thousands(named.expected)}`;
}

/** Draws readings of clocks on one axis. */
function instantsSvg(instants: Instants, id: string): Markup {
  const times = instants.map(({ at }) => at);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const x = (at: number): number => 20 + ((at - least) / Math.max(1, most - least)) * (width - 40);
  return markup`<svg class="candles readings" viewBox="0 0 ${width} 84" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Clocks on one time axis</title><desc id="${id}-text">${describeInstants(instants)}</desc>
<path class="expected" d="M20 42H${width - 20}"/>${instants.map(({ name, at }, index) => markup`<path class="end" d="M${unit(x(at))} 32v20"/><text class="${at > (least + most) / 2 ? 'before' : 'after'}" x="${at > (least + most) / 2 ? width - 2 : 2}" y="${index % 2 === 0 ? 24 : 70}">${name}: ${clockTime(at)}</text>`)}</svg>`;
}

/** `The Date header is 1 h ahead of our clock` */
function describeInstants([one, other]: Instants): string {
  if (!one || !other) return '';
  const seconds = Math.round(one.at - other.at);
  const apart = durationText(1000 * Math.abs(seconds));
  return seconds === 0
    ? `${one.name} is at ${other.name}`
    : `${one.name} is ${apart} ${seconds < 0 ? 'before' : 'after'} ${other.name}`;
}

function clockTime(at: number): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.valueOf()) ? String(at) : formatInstant(date.toISOString());
}
