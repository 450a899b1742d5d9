import { markup } from '../words/markup.ts';
import { palette } from './tokens.ts';

const flame = 'M12 .4c1.7 1.6 2.3 2.7 2.3 3.8a2.3 2.3 0 0 1-4.6 0C9.7 3.1 10.3 2 12 .4z';
const stem = 'M12 6v2.4M12 20.4v3.2';
const tick = 'M8.4 14.3l2.6 2.6 4.8-5.2';
const wax =
  'M6.8 8h10.4a2.2 2.2 0 0 1 2.2 2.2v8.4a2.2 2.2 0 0 1-2.2 2.2H6.8a2.2 2.2 0 0 1-2.2-2.2v-8.4A2.2 2.2 0 0 1 6.8 8z';

/** A candle with a tick, in the colors of its page. */
export const logo = markup`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path class="flame" d="${flame}"/><path class="stem" d="${stem}"/><path d="${wax}"/><path class="tick" d="${tick}"/></svg>`;

const { flame: orange, ink, sheet } = palette;
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${orange[0]}" d="${flame}"/><path stroke="${ink[0]}" stroke-width="1.8" d="${stem}"/><path fill="${ink[0]}" d="${wax}"/><path fill="none" stroke="${sheet[0]}" stroke-width="2.2" d="${tick}"/></svg>`;

/** The same drawing as the address of an icon, which loads nothing. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(icon)}`;
