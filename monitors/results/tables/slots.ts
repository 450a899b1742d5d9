import type { Phase } from '@candleproof/law/reading/exchange';
import {
  type ProbeFailure,
  type ProbeSample,
  probeOutcomes,
  type SlotRecord,
  slotStates,
} from '../probe-record.ts';
import {
  enumKind,
  microseconds,
  milliseconds,
  optional,
  reference,
  required,
  sincePlanned,
  time,
  truth,
} from './kinds.ts';
import { type FieldSchema, type RecordColumn, recordTable, type StoredColumn } from './table.ts';

const planned: StoredColumn = { name: 'planned', type: 'int8' };
const series: StoredColumn = { name: 'series', type: 'int8' };
const outcome = { ...enumKind(probeOutcomes, 'unknown'), schema: reference('outcome') };
const names: FieldSchema = { type: 'array', maxItems: 1000, items: reference('name') };

/** Fields that most slots lack, in the order in which their JSON has them. */
const rare = {
  failure: reference('failure'),
  rawFailure: reference('failure'),
  secondFailure: reference('failure'),
  rules: names,
  degradedBy: names,
  reason: { type: 'string' },
} as const satisfies { readonly [Name in keyof SlotRecord]?: FieldSchema };

type RareFields = { -readonly [Name in keyof typeof rare]?: SlotRecord[Name] };

const more: RecordColumn<SlotRecord> = {
  ...{ name: 'more', type: 'text', isOptional: true, fields: rare, required: ['rules'] },
  write(slot) {
    const filled: Record<string, unknown> = {};
    for (const name in rare) {
      const value = slot[name as keyof RareFields];
      if (value !== undefined && !(name === 'rules' && slot.rules.length === 0)) filled[name] = value;
    }
    return Object.keys(filled).length > 0 ? JSON.stringify(filled) : null;
  },
  read(slot, cell) {
    const { rules = [], ...others }: RareFields = cell === null ? {} : JSON.parse(String(cell));
    Object.assign(slot, others, { rules });
  },
};

/** Slots, each with its planned instant and the number of its series. */
export const slotTable = recordTable<SlotRecord>({
  ...{ name: 'slots', key: ['planned', 'series'], leading: [planned, series] },
  recordColumns: [
    required('state', 'state', enumKind(slotStates, 'missed')),
    optional('outcome', 'outcome', outcome),
    optional('raw_outcome', 'rawOutcome', outcome),
    optional('started', 'startedAt', sincePlanned),
    optional('finished', 'finishedAt', sincePlanned),
    optional('slow', 'slow', truth),
    optional('stale', 'stale', truth),
    optional('age', 'age', milliseconds),
    optional('certificate_end', 'certificateEnd', time),
    more,
  ],
  // Exported lines keep the order of their fields.
  readFirst: ['state', 'started', 'finished', 'outcome', 'raw_outcome', 'more'],
});

/** In the order of the columns. */
const phases = ['dns', 'connect', 'tls', 'send', 'wait', 'receive'] as const satisfies readonly Phase[];

const [cold, confirming] = [1, 2];

const kind: RecordColumn<ProbeSample> = {
  ...{ name: 'kind', type: 'int2', fields: { cold: truth.schema, confirming: truth.schema } },
  required: ['cold', 'confirming'],
  write: (sample) => (sample.cold ? cold : 0) + (sample.confirming ? confirming : 0),
  read(sample, cell) {
    sample.cold = (Number(cell) & cold) !== 0;
    sample.confirming = (Number(cell) & confirming) !== 0;
  },
};

/** Ids of pools are numbers or text. */
const pool: RecordColumn<ProbeSample> = {
  ...optional<ProbeSample, 'pool'>('pool', 'pool', {
    type: 'any',
    schema: { description: 'As its API calls it.', anyOf: [reference('count'), { type: 'string' }] },
    write: (id) => id,
    read: (cell) => cell as number | string,
  }),
};

const status = optional<ProbeSample, 'status'>('status', 'status', {
  ...{ type: 'int4', schema: { type: 'integer', minimum: 100, maximum: 999 } },
  ...{ write: (value) => value, read: Number },
});

function phase(name: Phase): RecordColumn<ProbeSample> {
  return {
    ...{ name, type: 'int8', isOptional: true, fields: {} },
    write: ({ timings: { [name]: ms } }) => (ms === undefined ? null : Math.round(ms * 1000)),
    read(sample, cell) {
      if (cell !== null) (sample.timings as { [phase in Phase]?: number })[name] = Number(cell) / 1000;
    },
  };
}

const total: RecordColumn<ProbeSample> = {
  ...{ name: 'total', type: 'int8', required: ['timings'] },
  fields: {
    timings: {
      ...{ type: 'object', required: ['total'], additionalProperties: false },
      properties: Object.fromEntries([...phases, 'total'].map((name) => [name, reference('duration')])),
    },
  },
  write: ({ timings }) => microseconds.write(timings.total, 0),
  read(sample, cell) {
    sample.timings = { total: Number(cell) / 1000 };
  },
};

/** Requests of slots, numbered within their slot. */
export const sampleTable = recordTable<ProbeSample>({
  ...{ name: 'samples', key: ['planned', 'series', 'number'] },
  leading: [planned, series, { name: 'number', type: 'int4' }],
  recordColumns: [
    required('at', 'at', sincePlanned),
    ...[kind, pool, status, ...phases.map(phase), total],
    required('since_planned', 'sincePlanned', microseconds),
  ],
  readFirst: ['at', 'kind', 'pool', 'status', 'total'],
});

/** Describes where a probe failed. */
export const failureSchema: FieldSchema = {
  description: 'Where a probe failed.',
  ...{ type: 'object', required: ['phase', 'class'], additionalProperties: false },
  properties: {
    phase: { enum: [...phases, 'status', 'contract'] satisfies ProbeFailure['phase'][] },
    class: reference('name'),
  },
};
