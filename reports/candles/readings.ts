import type { Picture, QuotaUse } from '../../contract/law/breach.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { formatInstant } from '../words/instant.ts';
import { type Markup, markup, unit } from '../words/markup.ts';

type Instants = NonNullable<Picture['instants']>;

const width = 420;
const side = 34;

/** Draws the use of a quota over answers: dashed as the requests make it, solid as the answers show it. */
export function countsSvg(counts: readonly QuotaUse[], id: string): Markup {
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
${counts.flatMap(({ exchange }, index) => (index % Math.ceil(counts.length / 9) === 0 ? [markup`<text class="time" x="${unit(x(index))}" y="130">${exchange}</text>`] : []))}
<text class="time" x="${width / 2}" y="146">answer, by its exchange</text><text x="${width - side + 3}" y="${unit(y(counts[last]?.actual ?? 0) + 3)}">${thousands(counts[last]?.actual ?? 0)}</text><text x="2" y="${unit(y(least) + 3)}">${thousands(least)}</text></svg>`;
}

/** `Exchange 14 shows 17 requests used in place of 16`: of this exchange, or of the first that is wrong. */
export function describeCounts(counts: readonly QuotaUse[], exchange?: number): string {
  const wrong = counts.filter(({ expected, actual }) => expected !== actual);
  const named = wrong.find((quotaUse) => quotaUse.exchange === exchange) ?? wrong[0];
  if (!named) return 'Every answer counts its requests';
  return `Exchange ${named.exchange} shows ${thousands(named.actual)} requests used in place of ${thousands(named.expected)}`;
}

/** Draws readings of clocks on one axis. */
export function instantsSvg(instants: Instants, id: string): Markup {
  const times = instants.map(({ at }) => at);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const x = (at: number): number => 20 + ((at - least) / Math.max(1, most - least)) * (width - 40);
  return markup`<svg class="candles readings" viewBox="0 0 ${width} 84" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Clocks on one time axis</title><desc id="${id}-text">${describeInstants(instants)}</desc>
<path class="expected" d="M20 42H${width - 20}"/>${instants.map(({ name, at }, index) => markup`<path class="end" d="M${unit(x(at))} 32v20"/><text class="${at > (least + most) / 2 ? 'before' : 'after'}" x="${unit(x(at))}" y="${index % 2 === 0 ? 24 : 68}">${name}: ${clockTime(at)}</text>`)}</svg>`;
}

/** `The Date header is 3,600 s ahead of our clock` */
export function describeInstants([one, other]: Instants): string {
  if (!one || !other) return '';
  const seconds = Math.round(one.at - other.at);
  return `${one.name} and ${other.name} are ${thousands(Math.abs(seconds))} s apart`;
}

function clockTime(at: number): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.valueOf()) ? String(at) : formatInstant(date.toISOString());
}
