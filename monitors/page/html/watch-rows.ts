import { formatPercent } from '@candleproof/law/reading/words';
import { numberCell, section, wideTable } from '@candleproof/reports/run/table';
import { countText, durationText, intervalText, unknown } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { Indicator } from '../../results/probe-record.ts';
import { daysJudged } from '../days.ts';
import { estimateShare, type GoodShare, type ObjectiveResult } from '../estimates.ts';
import type { ReportedPlan } from '../plan-facts.ts';
import { presentText } from '../present.ts';
import type { WindowTotals } from '../shown-days.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { objectiveWords } from '../wording.ts';
import { dayStrip } from './day-bars.ts';
import { presentMark } from './header.ts';
import { isServed, type PageState, partAddress, stateAddress } from './page-state.ts';
import { objectiveMark } from './pieces.ts';

const columns: Readonly<Record<Indicator, string>> = {
  availability: 'Available',
  correctness: 'Correct',
  latency: 'Fast',
  freshness: 'Fresh',
};
/** The indicators in the order of their columns. */
export const indicators = Object.keys(columns) as Indicator[];

/** The time windows of the figures; the one that objectives are judged over is shown first. */
const windowNames = ['24 h', '7 d', '30 d', '90 d'];
const usualWindow = `${daysJudged} d`;

/** Heads a column with its objective: `Fast, ≥ 99 % in 2 s`. */
export function aimText(indicator: Indicator, { objectives }: ReportedPlan): string {
  const objective = objectives.find((one) => one.indicator === indicator);
  if (!objective) return columns[indicator];
  const { under } = objective;
  const limit = under === undefined ? '' : ` in ${under < 1000 ? `${under} ms` : durationText(under)}`;
  return `${columns[indicator]}, ≥ ${formatPercent(objective.objective)}${limit}`;
}

/** Renders a row for each place of one target: its condition, its indicators, and its days on one calendar axis. */
export function watchRows({ watches, now, plan, state }: MonitorSummary): Markup {
  if (watches.length === 0)
    return section(
      'watches',
      'Targets',
      markup`<p>Nothing was watched yet. The first row comes with the first probe of <code>npx candleproof monitor</code>.</p>`,
    );
  return section(
    'watches',
    watches.length === 1 ? 'Target' : 'Places, the worst first',
    markup`${windowChoice(state)}
${wideTable({
  caption: 'Targets and places',
  heads: ['Target, from', ...indicators.map((name) => aimText(name, plan)), '90 days'],
  numbersFrom: 1,
  rows: watches.map((view, index) => [
    {
      value: markup`<a href="${partAddress(state, `watch-${index + 1}`)}">${watchName(view.watch)}</a><small class="state ${view.present.condition}">${presentMark(view.present)} ${presentText(view.present, now)}</small>`,
      is: 'name',
    },
    ...indicators.map((name) => numberCell(windowFigures(view, name, state, fullFigure))),
    dayStrip(view.days, now, `strip-${index + 1}`),
  ]),
})}`,
  );
}

/** Styles that switch the window without a script. */
export const windowStyles = `
.windows { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); border: 0; padding: 0; margin: var(--s2) 0 0; } .windows legend { float: left; margin-right: var(--s4); padding: 0; } .windows :is(label, a) { min-height: 1.5rem; cursor: pointer; } .windows [aria-current] { font-weight: 700; color: var(--ink); text-decoration: none; }
@media print { .windows :is(input, label:not(:has(:checked))) { display: none; } nav.windows { display: block; } nav.windows a:not([aria-current]) { display: none; } }
#watches tbody th { min-width: 11rem; } #watches td.amount small { white-space: normal; } #watches th:last-child { text-align: left; } #watches td:last-child { width: 18rem; } @media screen and (min-width: 64rem) { #watches td.amount { min-width: 8rem; } #watches td.amount small { max-width: 9rem; margin-left: auto; } #watches tbody th { min-width: 10rem; } }
.of { display: none; } ${windowNames.map((name) => `body:has(#window-${idText(name)}:is(:checked, [aria-current])) .of-${idText(name)}`).join(', ')} { display: block; }
`;

function chosenWindow(state: PageState | undefined): string {
  return windowNames.find((name) => idText(name) === state?.window) ?? usualWindow;
}

/** Renders the choice of a window: links on a served page, so that its address keeps the choice. */
export function windowChoice(state: PageState | undefined): Markup {
  const chosen = chosenWindow(state);
  if (isServed(state))
    return markup`<nav class="windows" aria-label="Window of the figures">Figures of the last ${windowNames.map((name) => markup`<a id="window-${idText(name)}" href="${stateAddress({ ...state, window: idText(name) })}"${name === chosen && markup` aria-current="true"`}>${name}</a> `)}</nav>`;
  return markup`<fieldset class="windows"><legend>Figures of the last</legend>${windowNames.map((name) => markup`<label><input type="radio" name="window" id="window-${idText(name)}"${name === chosen && ' checked'}> ${name}</label>`)}</fieldset>`;
}

function idText(window: string): string {
  return window.replace(' ', '');
}

/** A share of good slots in a window; `judged` in the window that objectives are judged over. */
export type WindowFigure = {
  readonly share: GoodShare | undefined;
  /** Returns whether the share is below its objective. */
  readonly isBelow: boolean;
  readonly judged: ObjectiveResult | undefined;
};

/** Renders the figures of the chosen window on a served page, or of all windows, of which styles show one. */
export function windowFigures(
  view: WatchSummary,
  indicator: Indicator,
  state: PageState | undefined,
  draw: (figure: WindowFigure) => Markup,
): Markup[] {
  const drawn = (window: WindowTotals): Markup => draw(windowFigure(view, indicator, window));
  if (!isServed(state))
    return view.windows.map(
      (window) => markup`<span class="of of-${idText(window.name)}">${drawn(window)}</span>`,
    );
  return view.windows.filter(({ name }) => name === chosenWindow(state)).map(drawn);
}

function windowFigure(
  { judgements }: WatchSummary,
  indicator: Indicator,
  { name, indicators: counted }: WindowTotals,
): WindowFigure {
  const judged = judgements.find(({ objective }) => objective.indicator === indicator);
  const share = estimateShare(counted[indicator]);
  const isBelow = share !== undefined && judged !== undefined && share.share < judged.objective.objective;
  return { share, isBelow, judged: name === usualWindow ? judged : undefined };
}

/** Renders a share with its count and verdict. */
function fullFigure({ share, isBelow, judged }: WindowFigure): Markup {
  const verdict =
    judged &&
    markup`<small>${objectiveMark(judged.standing)} ${objectiveWords[judged.standing]}${judged.standing === 'undecided' && judged.measured && `: ${intervalText(judged.measured.interval)}`}</small>`;
  return markup`<span${isBelow && markup` class="below"`}>${share ? formatPercent(share.share) : unknown}</span><small>${share ? countText(share) : 'none judged'}</small>${verdict}`;
}
