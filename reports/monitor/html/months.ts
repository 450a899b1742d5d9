import { thousands } from '../../../contract/reading/thousands.ts';
import { formatPercent } from '../../../planning/format-percent.ts';
import { type Cell, wideTable } from '../../run/table.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { unknown } from '../format.ts';
import type { MonthFigures } from '../history.ts';
import { shareCell } from './pieces.ts';

/** Every month that was ever watched, folded. */
export function monthsPart(months: readonly MonthFigures[], name: string): Markup | undefined {
  if (months.length < 2) return undefined;
  const number = (value: string): Cell => ({ value, is: 'number' });
  return markup`<details><summary>All ${plural(months.length, 'month')}</summary>${wideTable({
    caption: `Months, ${name}`,
    heads: ['Month (UTC)', 'Availability', 'Without a breach', 'Coverage', 'Failed', 'Degraded'],
    numbersFrom: 1,
    rows: months.map(({ month, availability, correctness, coverage, failed, degraded }) => [
      { value: month, is: 'name' },
      shareCell(availability),
      shareCell(correctness),
      number(coverage ? formatPercent(coverage.share) : unknown),
      number(thousands(failed)),
      number(thousands(degraded)),
    ]),
  })}</details>`;
}
