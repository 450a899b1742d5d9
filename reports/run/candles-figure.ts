import type { DrawnCandle, Example } from '../../contract/judge/verdict.ts';
import { describeCandles, fields, hasOffScale, priceText, spanText } from '../candles/figures.ts';
import { candlesSvg } from '../candles/svg.ts';
import { type Markup, markup } from '../words/markup.ts';

/** The candles of an example drawn, with the numbers of those in question beneath. */
export function candlesFigure({ candles = [], pointer }: Example, id: string): Markup | undefined {
  if (candles.length === 0) return undefined;
  const offending = candles.filter((each) => each.offending).slice(0, 2);
  return markup`<figure>${candlesSvg(candles, id)}
<figcaption>${offending.length > 0 ? offending.map((each) => numbers(each, pointer)) : markup`<p>${describeCandles(candles)}</p>`}
<p class="key">hollow: closes higher · filled: closes lower · ◆ average${offending.length > 0 && ' · ▲ beneath: the candle in question'}${hasOffScale(candles) && ' · ▲ ▼ at the edge: off the scale'}</p></figcaption></figure>`;
}

/** The field that the pointer names stands out. */
function numbers(candle: DrawnCandle, pointer: string): Markup {
  const cells = fields.map((field) => {
    const isNamed = pointer.endsWith(`/${field}`);
    return markup`<div${isNamed && markup` class="named"`}><dt>${field}</dt><dd>${priceText(candle[field])}</dd></div>`;
  });
  return markup`<p>${spanText(candle.start, candle.end)}</p><dl class="numbers">${cells}</dl>`;
}
