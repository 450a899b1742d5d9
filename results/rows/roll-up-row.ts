import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries } from '../probe-record.ts';
import { bytesOf, recordOf } from './figures.ts';

/** A row of `hours` or `days` without its series. */
export type RollUpCells = readonly [
  begin: number,
  figures: Uint8Array,
  certificateEnd: number | null,
  rules: string | null,
  degradedBy: string | null,
];

export function cellsOfRollUp(record: HourRecord): RollUpCells {
  const { begin, certificateEnd = null, rules, degradedBy } = record;
  return [begin, bytesOf(record), certificateEnd, textOf(rules), textOf(degradedBy)];
}

export function rollUpOf(series: ProbeSeries, cells: RollUpCells): HourRecord {
  const [begin, figures, certificateEnd, rules, degradedBy] = cells;
  const rest = {
    ...{ series, begin, rules: countsIn(rules), degradedBy: countsIn(degradedBy) },
    ...(certificateEnd !== null && { certificateEnd }),
  };
  return recordOf(rest, figures);
}

function textOf(counts: Readonly<Record<string, number>>): string | null {
  return Object.keys(counts).length > 0 ? JSON.stringify(counts) : null;
}

function countsIn(text: string | null): Record<string, number> {
  return text === null ? {} : JSON.parse(text);
}
