import { day, hour } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries } from '../probe-record.ts';
import { type HourFigures, packFigures, unpackRecord } from './figures.ts';
import { optional, time } from './kinds.ts';
import {
  type Draft,
  type RecordColumn,
  type RecordTable,
  readRow,
  recordTable,
  type StoredColumn,
  type StoredRow,
  type StoredTable,
  writeRow,
} from './table.ts';

/** Names the roll-ups of one length. */
export type RollUpLength = 'hours' | 'days';

/** Milliseconds of a record. */
export const lengths = { hours: hour, days: day } as const;

/** Fields that have a column; all others are figures. */
type RollUpFields = Omit<HourRecord, keyof HourFigures>;

const begin: StoredColumn = { name: 'begin', type: 'int8' };
const series: StoredColumn = { name: 'series', type: 'int8' };

/** Returns a column of counts by name, as JSON; NULL if there are none. */
function counts(name: string, field: 'rules' | 'degradedBy'): RecordColumn<RollUpFields> {
  return {
    ...{ name, type: 'text', isOptional: true, fields: {} },
    write: ({ [field]: all }) => (Object.keys(all).length > 0 ? JSON.stringify(all) : null),
    read(record, cell) {
      record[field] = cell === null ? {} : JSON.parse(String(cell));
    },
  };
}

function rollUpTable(name: RollUpLength): RecordTable<RollUpFields> {
  return recordTable<RollUpFields>({
    ...{ name, key: ['begin', 'series'], leading: [begin, series, { name: 'figures', type: 'bytes' }] },
    recordColumns: [
      optional('certificate_end', 'certificateEnd', time),
      counts('rules', 'rules'),
      counts('degraded_by', 'degradedBy'),
    ],
    readFirst: ['rules', 'degraded_by'],
  });
}

export const rollUpTables = { hours: rollUpTable('hours'), days: rollUpTable('days') } as const;

function changedTable(length: RollUpLength): StoredTable {
  return { name: `changed_${length}`, columns: [begin, series], key: ['begin', 'series'] };
}

/** Hours and days whose sums are no longer true: a slot was replaced that had come to something. */
export const changedTables = { hours: changedTable('hours'), days: changedTable('days') } as const;

/** Returns the row of a roll-up of a numbered series. */
export function rollUpRow(length: RollUpLength, number: number, record: HourRecord): StoredRow {
  return writeRow(rollUpTables[length], [record.begin, number, packFigures(record)], record);
}

/** Reads the record of an hour or a day from its row. */
export function readRollUp(length: RollUpLength, series: ProbeSeries, row: StoredRow): HourRecord {
  const [begin, , figures] = row;
  const draft: Draft<RollUpFields> = { series, begin: Number(begin) };
  return unpackRecord(readRow(rollUpTables[length], draft, row), figures as Uint8Array);
}
