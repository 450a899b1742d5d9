import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { indicators, probeOutcomes, type SlotRecord } from '../probe-record.ts';
import type { EventRecord, IncidentRecord, QuotaRecord } from '../results-store.ts';
import { quotaTable } from '../tables/facts.ts';
import { reference, sharedSchemas, time } from '../tables/kinds.ts';
import { failureSchema, sampleTable, slotTable } from '../tables/slots.ts';
import type { FieldSchema, RecordTable } from '../tables/table.ts';
import { presentLine } from './former-line.ts';

/** One line of a results file, as `lineSchema` describes it. */
export type TransferLine =
  | ({ readonly type: 'slot' } & SlotRecord)
  | ({ readonly type: 'event' } & EventRecord)
  | ({ readonly type: 'incident' } & IncidentRecord)
  | ({ readonly type: 'quota' } & QuotaRecord);

type Fields = Readonly<Record<string, FieldSchema | true>>;

const types = ['slot', 'event', 'incident', 'quota'] as const satisfies TransferLine['type'][];
const [instant, duration, count] = [time.schema, reference('duration'), reference('count')];
const [name, key] = [reference('name'), reference('key')];

const seriesFields: Fields = {
  ...{ target: key, probe: key, operation: key, location: key },
};

const eventFields: Fields = {
  ...{ type: true, at: instant, kind: key, target: name, key: name },
  detail: { type: 'object' },
};

const incidentFields: Fields = {
  type: true,
  id: { type: 'string', maxLength: 1000, pattern: '^[!-~]*$' },
  ...{ target: name, location: name, indicator: reference('indicator') },
  ...{ lastGood: instant, begin: instant, lastBad: instant, end: instant, slots: count },
  failures: { type: 'array', items: reference('failure') },
  broken: {
    description: 'While it is open: the probes, as probe/operation, that were bad in it and not good since.',
    ...{ type: 'array', items: name },
  },
  ...{ period: duration, unwatched: duration, unwatchedBefore: duration },
  ...{ firstFailed: instant, lastFailed: instant, evidence: true },
};

/** Describes one line of a results file; docs/results-line.schema.json is its copy. */
export const lineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:candleproof:results-line',
  title: 'One line of a results file',
  description: 'What a monitor found, one JSON object a line. Times are Unix ms, durations ms.',
  type: 'object',
  required: ['type'],
  properties: { type: { enum: types } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
  allOf: types.map((type) => ({ if: { properties: { type: { const: type } } }, then: reference(type) })),
  $defs: {
    ...sharedSchemas,
    indicator: { enum: indicators },
    outcome: { enum: probeOutcomes },
    failure: failureSchema,
    series: object('Whose slot it is.', seriesFields, Object.keys(seriesFields)),
    slot: {
      ...record(
        'A planned instant of a probe. A later line of the same series and instant takes its place.',
        slotTable,
        { type: true, series: reference('series'), scheduledAt: instant },
        { samples: { type: 'array', maxItems: 10_000, items: reference('sample') } },
      ),
      // A slot without an outcome did not run; sums trust that its first look shows nothing.
      dependentRequired: { rawOutcome: ['outcome'] },
    },
    sample: record('One request.', sampleTable),
    event: object('Something that happened. The same line again is the same event.', eventFields, [
      ...['at', 'kind', 'detail'],
    ]),
    incident: object(
      'A time in which an indicator was bad. A later line with the same id takes its place.',
      incidentFields,
      ['id', 'target', 'location', 'indicator', 'begin', 'lastBad', 'slots', 'failures'],
    ),
    quota: record("A key's counters as the newest answer of an hour reported them.", quotaTable, {
      type: true,
    }),
  },
} as const;

/** Describes the records of a table, with fields that have no column before and after the others. */
function record<R>(
  description: string,
  { recordColumns }: RecordTable<R>,
  before: Fields = {},
  after: Fields = {},
): FieldSchema {
  const fields = Object.assign({}, ...recordColumns.map(({ fields }) => fields));
  const required = [
    ...Object.keys(before),
    ...recordColumns.flatMap(({ required = [] }) => required),
    ...Object.keys(after),
  ].filter((field) => field !== 'type');
  return object(description, { ...before, ...fields, ...after }, required);
}

function object(description: string, properties: Fields, required: readonly string[]): FieldSchema {
  return { description, type: 'object', required, additionalProperties: false, properties };
}

/** Reads lines by the schema. */
export class LineReader {
  readonly #fits = new Ajv2020({ strict: true, strictRequired: false }).compile<TransferLine>(lineSchema);

  /**
   * Returns the line, or the reason why it is invalid, which repeats no value of the line; undefined for one of traffic
   * that passed by, which an earlier version exported.
   */
  read(text: string): TransferLine | string | undefined {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    const { line, isPassing } = presentLine(parsed);
    if (isPassing) return undefined;
    return this.#fits(line) ? line : formatError(this.#fits.errors?.[0]);
  }
}

function formatError(error: ErrorObject | undefined): string {
  const place = error?.instancePath.slice(1) ?? '';
  const field = place === '' ? 'the line' : `"${place}"`;
  if (error?.keyword === 'additionalProperties') return `${field} has a field that results do not have`;
  if (error?.keyword === 'enum') return `${field} must be one of ${error.params.allowedValues.join(', ')}`;
  if (error?.keyword === 'pattern') return `${field} holds a character that no name has`;
  return `${field} ${error?.message ?? 'does not fit the schema'}`;
}
