import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { candlesSvg } from '@candleproof/reports/candles/svg';
import { exchangeParts, findRows, part, showKept } from '@candleproof/reports/run/shown-exchange';
import { clip } from '@candleproof/reports/words/escape';
import { formatMillisecond, instantText } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { Outage } from '../outages.ts';
import type { PageState } from './page-state.ts';

/** Incidents and open ones shown with their exchange, and characters of a text. */
const mostEvidence = 20;
const mostOpenEvidence = 40;
const longestText = 400;

/** Returns whether the exchange of an outage is shown: only for the newest outages, and for more of the open ones. */
export function hasEvidence({ incident, isOpen }: Outage, index: number): boolean {
  return incident.evidence !== undefined && index < (isOpen ? mostOpenEvidence : mostEvidence);
}

/** Renders the first bad exchange of an outage, as a run shows one. */
export function incidentEvidence(
  outage: Outage,
  index: number,
  state: PageState | undefined,
): Markup | undefined {
  const { evidence: kept, target, location, indicator, begin } = outage.incident;
  if (!hasEvidence(outage, index)) return undefined;
  const id = `evidence-${index + 1}`;
  const shown = showKept(kept);
  const found = listFound(outage.incident);
  const [{ candles } = { candles: [] }] = found;
  const rows = findRows(
    shown.body,
    index,
    found.map(({ pointer }) => ({ exchange: index, pointer })),
  );
  return markup`<details class="exchange"${state?.open.includes(id) && ' open'}><summary>First bad exchange: ${indicator}, ${target} from ${location}, ${instantText(begin)}</summary><div id="${id}">
${shown.startedAt !== '' && markup`<p class="where">Sent ${formatMillisecond(shown.startedAt)}${shown.milliseconds !== undefined && `, ended after ${Math.round(shown.milliseconds)} ms`}</p>`}${shown.failure !== '' && markup`<p><b>${clip(shown.failure, longestText)}</b></p>`}
${found.map(({ rule, pointer, expected, actual, pattern }) => markup`<p><code>${rule}</code> at <code>${pointer === '' ? 'the whole body' : pointer}</code>: expected ${expected}; actual <b>${actual}</b>${pattern !== '' && `, ${pattern}`}</p>`)}
${candles.length > 0 && markup`<figure>${candlesSvg(candles, `${id}-candles`)}</figure>`}${exchangeParts(shown, rows, { rest: 'no file: the store keeps its beginning' })}</div></details>`;
}

const mostFound = 3;

/** Lists what was found in the exchange of an incident; the store may be of another monitor, and hold anything. */
export function listFound({ evidence }: Outage['incident']) {
  const found = part(evidence, 'found');
  const text = (value: unknown, name: string): string => clip(String(part(value, name) ?? ''), longestText);
  if (!Array.isArray(found)) return [];
  return found.slice(0, mostFound).map((one: unknown) => ({
    rule: text(one, 'rule'),
    pointer: text(one, 'pointer'),
    expected: text(one, 'expected'),
    actual: text(one, 'actual'),
    pattern: text(one, 'pattern'),
    candles: readCandles(part(one, 'candles')),
  }));
}

const mostCandles = 26;

function readCandles(kept: unknown): DrawnCandle[] {
  if (!Array.isArray(kept)) return [];
  return kept.slice(0, mostCandles).flatMap((one: unknown) => {
    const numbers = drawn.map((name) => part(one, name));
    if (!numbers.every((value) => typeof value === 'number' && Math.abs(value) < largest)) return [];
    const fields = Object.fromEntries(drawn.map((name, at) => [name, numbers[at]]));
    const [offending, address] = [part(one, 'offending') === true, part(one, 'address')];
    const named = typeof address === 'string' && /^[\w-]{1,400}$/.test(address) && { address };
    return [{ ...fields, ...named, offending } as DrawnCandle];
  });
}

const drawn = ['start', 'end', 'open', 'high', 'low', 'close'] as const;

/** Larger numbers are neither a time that a page can show nor a price. */
const largest = 1e12;
