import { day, hour, stamp } from '@candleproof/document/spec/interval';
import { plural } from '@candleproof/reports/words/format';
import { Markup, markup, unit } from '@candleproof/reports/words/markup';
import { countUsable, type PastTable, type RowState } from '../audit/row-states.ts';
import { describeUsable } from './audit-words.ts';

/** Days of which each has a row of hours; of more, each month has a row of days. */
const mostDays = 45;

/** Units of a drawing, which is scaled to the width of its column: labels at the left and the top. */
const sheet = { left: 54, top: 20, width: 322, gap: 0.8 };

/** A part of a cell, in a row of the calendar: places are shares of the width and of the row's height. */
type Piece = {
  readonly state: RowState;
  readonly row: number;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
};

/** A label of a column, at a share of the width, or of a row. */
type Label = { readonly text: string; readonly at: number };

type Layout = {
  readonly rows: number;
  /** Height of a row. */
  readonly size: number;
  readonly pieces: readonly Piece[];
  readonly columns: readonly Label[];
  readonly names: readonly Label[];
};

/**
 * Draws the past of a pool as a calendar. Up to 45 days are a row each, and its columns are the intervals of a day; more
 * are a column each, filled by the shares of their intervals, and their months are the rows. Undefined without a row.
 */
export function calendarFigure(table: PastTable): Markup | undefined {
  const { pool, interval, rows, length } = table;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return undefined;
  const isOfDays = Math.floor(last.start / day) - Math.floor(first.start / day) < mostDays && length < day;
  const { rows: count, size, pieces, columns, names } = isOfDays ? layOutHours(table) : layOutDays(table);
  const height = sheet.top + count * size + 4;
  const words = `pool ${pool}: ${describeUsable(countUsable(table))}`;
  const kinds = isOfDays
    ? `rows are days, columns times of the day (UTC)`
    : `rows are months, columns days (UTC), filled by the shares of their ${interval} rows`;
  return markup`<figure class="calendar"><figcaption><b>Pool ${pool}</b> <span>${interval}: ${describeUsable(countUsable(table))}</span></figcaption>
<div class="scroll" role="region" tabindex="0" aria-label="Calendar of pool ${pool}"><svg viewBox="0 0 ${sheet.left + sheet.width} ${height}" role="img" aria-label="Calendar of ${words}; ${kinds}.">${drawPieces(pieces, size)}${columns.map(({ text, at }) => markup`<text x="${unit(sheet.left + at * sheet.width)}" y="${sheet.top - 6}">${text}</text>`)}${names.map(({ text, at }) => markup`<text class="name" x="${sheet.left - 6}" y="${unit(sheet.top + (at + 0.5) * size + 4)}">${text}</text>`)}</svg></div></figure>`;
}

/** One path for each state, since a year of hours would be thousands of elements. */
function drawPieces(pieces: readonly Piece[], size: number): Markup[] {
  return [...Map.groupBy(pieces, ({ state }) => state)].map(([state, all]) => {
    const path = all.map(({ row, x, width, y, height }) => {
      const [left, top] = [sheet.left + x * sheet.width, sheet.top + row * size];
      const [right, room] = [width * sheet.width - sheet.gap, size - 2 * sheet.gap];
      return `M${unit(left)} ${unit(top + sheet.gap + y * room)}h${unit(right)}v${unit(height * room)}h${unit(-right)}z`;
    });
    return markup`<path class="${state}" d="${new Markup(path.join(''))}"/>`;
  });
}

/** Lays out one row for each day; neighbors of one state are one piece. */
function layOutHours({ rows, length }: PastTable): Layout {
  const begin = Math.floor((rows[0]?.start ?? 0) / day);
  const pieces: Piece[] = [];
  for (const { start, state } of rows) {
    const row = Math.floor(start / day) - begin;
    const x = (start % day) / day;
    const before = pieces.at(-1);
    const joins =
      before?.row === row && before.state === state && Math.abs(before.x + before.width - x) < 1e-9;
    if (joins) pieces[pieces.length - 1] = { ...before, width: before.width + length / day };
    else pieces.push({ state, row, x, width: length / day, y: 0, height: 1 });
  }
  const count = Math.floor((rows.at(-1)?.start ?? 0) / day) - begin + 1;
  return {
    ...{ rows: count, size: 10, pieces },
    columns: Array.from({ length: 6 }, (_, at) => ({
      text: stamp(at * 4 * hour).slice(11, 16),
      at: at / 6,
    })),
    names: Array.from({ length: Math.ceil(count / 7) }, (_, at) => ({
      text: nameDay((begin + 7 * at) * day),
      at: 7 * at,
    })),
  };
}

/** Lays out one row for each month; the states of a day's intervals fill it from the bottom, the gravest first. */
function layOutDays({ rows }: PastTable): Layout {
  const days = Map.groupBy(rows, ({ start }) => Math.floor(start / day));
  const months = [...new Set([...days.keys()].map(monthKey))];
  const rank = new Map(months.map((month, at) => [month, at]));
  const pieces = [...days].flatMap(([date, held]) => {
    const x = (new Date(date * day * 1000).getUTCDate() - 1) / 31;
    let top = 1;
    return stacked.flatMap((state): Piece[] => {
      const height = held.filter((row) => row.state === state).length / held.length;
      top -= height;
      return height === 0
        ? []
        : [{ state, row: rank.get(monthKey(date)) ?? 0, x, width: 1 / 31, y: Math.max(0, top), height }];
    });
  });
  return {
    ...{ rows: months.length, size: 20, pieces },
    columns: [1, 8, 15, 22, 29].map((date) => ({ text: String(date), at: (date - 1) / 31 })),
    names: months.map((month, at) => ({ text: month, at })),
  };
}

const stacked: readonly RowState[] = ['damaged', 'missing', 'unread', 'doubted', 'usable'];

/** `2026-11`, of days since 1970. */
function monthKey(date: number): string {
  return stamp(date * day).slice(0, 7);
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function nameDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

const words: Readonly<Record<RowState, string>> = {
  ...{ usable: 'usable', damaged: 'damaged', missing: 'no row' },
  ...{ unread: 'not read', doubted: 'doubted' },
};

/** Explains the fills of calendars, of the states that they have. */
export function calendarKey(tables: readonly PastTable[]): Markup {
  const states = new Set(tables.flatMap(({ rows }) => rows.map(({ state }) => state)));
  const shown = ['usable' as const, ...stacked.slice(0, -1)].filter((state) => states.has(state));
  return markup`<p class="calendar-key">${shown.map((state) => markup`<span><i class="${state}${state === 'doubted' && ' hatched'}"></i>${words[state]}</span> `)}</p>`;
}

/** Says how many pools have no calendar; empty for none. */
export function describeLeftOut(count: number): Markup | undefined {
  return count > 0 ? markup`<p class="remark">${plural(count, 'more pool')}: below.</p>` : undefined;
}

export const calendarStyles = `
.calendars { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: var(--s4); margin-top: var(--s5); }
figure.calendar { display: block; margin: 0; padding: var(--s4); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); } .calendar figcaption span { color: var(--soft); } .calendar svg { display: block; width: 100%; min-width: 22rem; max-width: 36rem; }
.calendar text { font: 12px var(--sans); fill: var(--soft); } .calendar .name { text-anchor: end; }
.calendar .usable { fill: var(--ok); } .calendar .damaged { fill: var(--bad); } .calendar .missing { fill: var(--fail-wash); stroke: var(--fail); stroke-width: .8; stroke-dasharray: 2 1.5; } .calendar .doubted { fill: url(#hatch); } .calendar .unread { fill: var(--wash); stroke: var(--soft); stroke-width: .6; }
.calendar-key { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); margin-top: var(--s2); font-size: var(--sm); color: var(--soft); } .calendar-key i { display: inline-block; width: .9em; height: .8em; margin-right: .4em; } .calendar-key .usable { background: var(--ok); } .calendar-key .damaged { background: var(--bad); } .calendar-key .missing { background: var(--fail-wash); outline: 1px dashed var(--fail); } .calendar-key .unread { background: var(--wash); outline: 1px solid var(--soft); }
@media (forced-colors: active) { .calendar .usable { fill: GrayText; } .calendar :is(.damaged, .doubted) { fill: Highlight; } .calendar .missing { fill: Canvas; stroke: Highlight; } .calendar-key i { forced-color-adjust: none; } }
@media print { .calendar { break-inside: avoid; } .calendars { grid-template-columns: 1fr 1fr; }  }
`;
