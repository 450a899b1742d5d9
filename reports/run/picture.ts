import type { Example } from '../../contract/judge/verdict.ts';
import type { DrawnCandle, Picture } from '../../contract/law/breach.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import {
  describeCandles,
  describeStep,
  fields,
  formatPrice,
  formatSpan,
  hasOffScale,
} from '../candles/figures.ts';
import { type Lane, lanesSvg } from '../candles/lanes.ts';
import { countsSvg, describeCounts, describeInstants, instantsSvg } from '../candles/readings.ts';
import { candlesSvg } from '../candles/svg.ts';
import { formatMinute } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';

/** Returns the address of a row in its exchange; undefined where the page does not lead there. */
export type RowLink = (exchange: number, pointer: string) => string | undefined;

/** Renders the picture of an example: a sentence, what was expected and received, and the way to both exchanges. */
export function evidenceFigure(example: Example, id: string, row: RowLink): Markup | undefined {
  const { candles = [], picture = {} } = example;
  const { counts, instants, missing = [] } = picture;
  if (counts) return figure(example, describeCounts(counts, example.exchange), countsSvg(counts, id), row);
  if (instants) return figure(example, describeInstants(instants), instantsSvg(instants, id), row);
  const twice = candles.find(
    ({ start }, index) => candles.findIndex((candle) => candle.start === start) < index,
  );
  const isOfOneAnswer = (example.beside ?? []).length === 0;
  if (missing.length > 0 || (twice && isOfOneAnswer)) {
    const sentence =
      missing.length > 0
        ? describeMissing(picture)
        : `${formatMinute(twice?.start ?? 0)} UTC has more than one candle`;
    return figure(example, sentence, lanesSvg(listLanes(candles, picture), sentence, id), row);
  }
  return candles.length > 0 ? candlesFigure(example, candles, id, row) : undefined;
}

function figure(example: Example, sentence: string, drawing: Markup, row: RowLink): Markup {
  return markup`<figure class="evidence"><figcaption><p><b>${sentence}.</b> ${exchangeLinks(example, row)}</p></figcaption>${drawing}</figure>`;
}

function listLanes(candles: readonly DrawnCandle[], { missing = [], other }: Picture): Lane[] {
  const last = Math.max(...[...candles, ...(other?.candles ?? [])].map(({ end }) => end));
  // Beyond the candles at hand only the gap that follows them at once has its place on the axis.
  const placed = missing.filter(({ start }, index) => start <= last || missing[index - 1]?.end === start);
  const received = { name: `${other?.own ?? 'received'}${other ? ' answer' : ''}`, candles, missing: placed };
  return other
    ? [{ name: `${other.name} answer`, candles: other.candles, missing: [] }, received]
    : [received];
}

/** Missing candles that are named. */
const mostNamed = 3;

/** A picture holds no more: there may be others. */
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

/** Links the exchange of an example and those that it is measured by, at their rows. */
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
  const offending = candles.filter((candle) => candle.offending).slice(0, 2);
  const step = describeStep(candles);
  return markup`<figure>${candlesSvg(candles, id)}
<figcaption>${step && markup`<p><b>${step.charAt(0).toUpperCase()}${step.slice(1)}.</b></p>`}${offending.length > 0 ? offending.map((drawnCandle) => candleNumbers(drawnCandle, example.pointer)) : markup`<p>${describeCandles(candles)}</p>`}
<p>${exchangeLinks(example, row)}</p><p class="key">hollow: closes higher · filled: closes lower · ◆ average${offending.length > 0 && ' · ▲ beneath: the candle in question'}${hasOffScale(candles) && ' · ▲ ▼ at the edge: off the scale'}</p></figcaption></figure>`;
}

/** Renders a candle's numbers; the field that the pointer names stands out. */
function candleNumbers(candle: DrawnCandle, pointer: string): Markup {
  const cells = fields.map((field) => {
    const isNamed = pointer.endsWith(`/${field}`);
    return markup`<div${isNamed && markup` class="named"`}><dt>${field}</dt><dd>${formatPrice(candle[field])}</dd></div>`;
  });
  return markup`<p>${formatSpan(candle.start, candle.end)}</p><dl class="numbers">${cells}</dl>`;
}
