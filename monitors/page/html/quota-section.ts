import { thousands } from '@candleproof/law/reading/words';
import { termList, wideTable } from '@candleproof/reports/run/table';
import { dateText, formatTimes, instantText, plural, unknown } from '@candleproof/reports/words/format';
import { type Markup, markup, type Part, unit } from '@candleproof/reports/words/markup';
import type { KeyForecast } from '../../plan/key-forecast.ts';
import type { EventRecord, QuotaRecord } from '../../results/results-store.ts';
import { isLedgerKind, ledgerWords, readNumber } from '../events.ts';
import type { KeyView } from '../quota.ts';
import type { MonitorSummary } from '../view.ts';
import { ledgerSentence, leftText } from '../wording.ts';
import { foldedPart } from './pieces.ts';

const mostRows = 40;

/** Renders the rest of every key's quota, and use that its counters show beyond our requests. */
export function quotaPart({ keys, state }: MonitorSummary): Markup {
  const parts = keys.map(keyPart);
  return foldedPart(
    state,
    'quota',
    'Quota',
    plural(keys.length, 'key'),
    parts.length > 0 ? parts : markup`<p>No key was used.</p>`,
  );
}

function keyPart(view: KeyView): Markup {
  const { key } = view;
  return markup`<h3>Key ${key}</h3>${quotaBar(view)}
${termList('facts', listQuotaFacts(view))}
${eventsTable(view)}`;
}

/** Draws the month of a key as a bar: what is used, what the forecast takes, and the reserve that no one may touch. */
function quotaBar({ key, newest, forecast, reserve }: KeyView): Markup | undefined {
  if (!newest || newest.limit === 0) return undefined;
  const { limit, remaining } = newest;
  const share = (count: number): string => unit(Math.max(0, Math.min(100, (100 * count) / limit)));
  const used = limit - remaining;
  const planned = forecast ? Math.max(0, remaining - Math.max(0, forecast.leftAtReset)) : 0;
  const words = `${thousands(used)} of ${thousands(limit)} used${planned > 0 ? `, ${thousands(Math.round(planned))} more until the reset at this pace` : ''}${reserve > 0 ? `, reserve ${thousands(reserve)}` : ''}`;
  return markup`<svg class="bar quota" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="Key ${key}: ${words}"><title>${words}</title><rect class="spent" width="${share(used)}" height="4"/><rect class="planned" x="${share(used)}" width="${share(planned)}" height="4"/>${reserve > 0 && markup`<rect class="reserved" x="${share(limit - reserve)}" width=".4" height="4"/>`}</svg>`;
}

function listQuotaFacts({ newest, isOver, month, shares, reserve, forecast }: KeyView): [string, Part][] {
  if (!newest) return [['Counters', 'no answer reported them yet']];
  const zone = month?.offset === undefined ? '' : `, a month's end at ${zoneText(month.offset)}`;
  return [
    ['Left', `${leftText(newest)}, reported ${instantText(newest.at)} UTC`],
    ['Reset', `${instantText(newest.resetAt)} UTC${zone}${isOver ? '; it has passed' : ''}`],
    ['Pace', forecast ? paceText(forecast) : unknown],
    ['Runs out', whenText(newest, forecast, forecast?.exhaustedAt)],
    ['Reserve reached', shares ? whenText(newest, forecast, forecast?.reserveAt) : unknown],
    ['Shares', shares ? sharesText(shares, reserve) : 'none declared'],
  ];
}

/** Words the larger pace first, which the forecast uses. */
function paceText({ perDay, planned, lastDay }: KeyForecast): string {
  const [plan, last] = [planned, lastDay].map((requests) => thousands(Math.round(requests ?? 0)));
  if (planned === undefined) return `${last} a day, as counted in the last 24 h`;
  if (lastDay === undefined) return `${plan} a day, as planned`;
  return perDay === planned
    ? `${plan} a day, as planned; ${last} were counted in the last 24 h`
    : `${last} a day, as counted in the last 24 h; the plan takes ${plan}`;
}

function whenText(newest: QuotaRecord, forecast: KeyView['forecast'], at: number | undefined): string {
  if (!forecast) return unknown;
  if (at !== undefined && at <= newest.at) return 'already';
  return at === undefined ? 'not before the reset' : `${instantText(at)} UTC at this pace`;
}

function sharesText(shares: NonNullable<KeyView['shares']>, reserve: number): string {
  const { monitor, check, load, confirm } = shares;
  return `monitors ${monitor} %, checks ${check} %, load ${load} %, confirmations ${confirm} %, reserve ${shares.reserve} % (${plural(reserve, 'request')})`;
}

/** `UTC−5`, `UTC+5:45`. */
function zoneText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** Renders the events of a key; events of one kind and day share a row. */
function eventsTable({ key, events, newest }: KeyView): Markup | undefined {
  if (events.length === 0 && !newest) return undefined;
  if (events.length === 0) {
    return markup`<p>The counters agree with our own count: no foreign use, no double charge, none stuck or backward.</p>`;
  }
  const groups = [...Map.groupBy(events, ({ at, kind }) => `${dateText(at)} ${kind}`).values()];
  const more = groups.length - mostRows;
  return markup`${wideTable({
    caption: `What the ledger of the key ${key} saw`,
    heads: ['Day (UTC)', 'What', 'How often', 'In all'],
    rows: groups.slice(0, mostRows).flatMap((group) => eventRow(group)),
  })}${more > 0 && markup`<p>and ${plural(more, 'more day')} before.</p>`}`;
}

function eventRow(events: readonly EventRecord[]): Part[][] {
  const [first] = events;
  if (!first || !isLedgerKind(first.kind)) return [];
  const { kind } = first;
  const isCounted = events.length > 1 && events.every((event) => readNumber(event, 'n') !== undefined);
  const n = events.reduce((sum, event) => sum + (readNumber(event, 'n') ?? 0), 0);
  const all = isCounted ? { ...first, detail: { ...first.detail, n } } : first;
  return [[dateText(first.at), ledgerWords[kind], formatTimes(events.length), ledgerSentence(all, kind)]];
}
