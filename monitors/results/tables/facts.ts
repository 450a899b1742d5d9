import type { DeliveryRecord, PinRecord, QuotaRecord } from '../results-store.ts';
import { count, json, reference, required, text, time } from './kinds.ts';
import { recordTable, type StoredTable } from './table.ts';

const anyText = { ...text, schema: { type: 'string' } };

/** Series, each with the first and the last planned instant of its slots, and the last at which a probe ran. */
export const seriesTable: StoredTable = {
  ...{ name: 'series', key: ['series'], rows: 'numbered' },
  columns: [
    ...['target', 'probe', 'operation', 'location'].map((name) => ({
      name,
      type: 'text' as const,
    })),
    { name: 'first', type: 'int8' },
    { name: 'last', type: 'int8' },
    { name: 'last_run', type: 'int8', isOptional: true },
  ],
  lines: {
    sqlite: ['UNIQUE (target, probe, operation, location)'],
    postgres: ['UNIQUE (target, probe, operation, location)'],
  },
};

/** Events; `rest` is the JSON of the fields that have no column. */
export const eventTable: StoredTable = {
  ...{ name: 'events', key: ['event'], rows: 'numbered' },
  columns: [
    { name: 'at', type: 'int8' },
    { name: 'kind', type: 'text' },
    { name: 'rest', type: 'text' },
  ],
  // PostgreSQL has another index: a long text does not fit into one.
  lines: { sqlite: ['UNIQUE (at, kind, rest)'] },
};

/** Incidents, each as JSON beside the columns that it is found by. */
export const incidentTable: StoredTable = {
  ...{ name: 'incidents', key: ['id'], rows: 'arrival' },
  columns: [
    { name: 'id', type: 'text' },
    { name: 'target', type: 'text' },
    { name: 'begin', type: 'int8' },
    { name: 'end', type: 'int8', isOptional: true },
    { name: 'slots', type: 'int8' },
    { name: 'incident', type: 'text' },
  ],
  indexes: {
    incidents_by_begin: '(begin)',
    incidents_by_target: '(target, begin)',
    open_incidents: '(begin) WHERE "end" IS NULL',
  },
};

/** The newest counters of a key in every hour. */
export const quotaTable = recordTable<QuotaRecord>({
  ...{ name: 'quotas', key: ['hour', 'key'], leading: [{ name: 'hour', type: 'int8' }] },
  recordColumns: [
    required('key', 'key', { ...text, schema: reference('key') }),
    required('at', 'at', time),
    required('monthly_limit', 'limit', count),
    required('remaining', 'remaining', count),
    required('additional', 'additional', count),
    required('reset_at', 'resetAt', time),
  ],
});

export const pinTable = recordTable<PinRecord>({
  ...{ name: 'pins', key: ['target', 'interval', 'pool', 'start'], leading: [] },
  recordColumns: [
    required('target', 'target', anyText),
    required('interval', 'interval', anyText),
    required('pool', 'pool', {
      ...{ type: 'any', schema: {} },
      write: (id) => id,
      read: (cell) => cell as number | string,
    }),
    required('start', 'start', time),
    required('first_seen', 'firstSeen', time),
    required('last_seen', 'lastSeen', time),
    required('fields', 'fields', json()),
  ],
  readFirst: ['target', 'pool', 'interval'],
  indexes: { pins_by_last_seen: '(last_seen)' },
});

/** The outbox. In PostgreSQL locations share it: each message has a place, an origin, and a holder for a while. */
export const deliveryTable = recordTable<DeliveryRecord>({
  ...{ name: 'deliveries', key: ['id'], rows: 'arrival', leading: [] },
  recordColumns: [
    required('id', 'id', anyText),
    required('sink', 'sink', anyText),
    required('due', 'dueAt', time),
    required('attempts', 'attempts', {
      ...{ type: 'int4', schema: {} },
      write: (value) => value,
      read: Number,
    }),
    required('message', 'message', json()),
  ],
  lines: {
    postgres: [
      'place int8 GENERATED ALWAYS AS IDENTITY',
      'origin text',
      'holder text',
      'held_until timestamptz',
      'claim int8 NOT NULL DEFAULT 0',
    ],
  },
});

/** States by their names, as JSON. */
export const stateTable: StoredTable = {
  ...{ name: 'states', key: ['name'] },
  columns: [
    { name: 'name', type: 'text' },
    { name: 'value', type: 'text' },
  ],
};
