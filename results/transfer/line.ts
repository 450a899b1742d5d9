import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { SlotRecord } from '../probe-record.ts';
import type { EventRecord, IncidentRecord, QuotaRecord } from '../results-store.ts';

/** One line of a results file, line.schema.json. */
export type TransferLine =
  | ({ readonly type: 'slot' } & SlotRecord)
  | ({ readonly type: 'event' } & EventRecord)
  | ({ readonly type: 'incident' } & IncidentRecord)
  | ({ readonly type: 'quota' } & QuotaRecord);

/** Reads lines by the schema. */
export class LineReader {
  readonly #fits = new Ajv2020({ strict: true, strictRequired: false }).compile<TransferLine>(
    JSON.parse(readFileSync(new URL('./line.schema.json', import.meta.url), 'utf8')),
  );

  /** What one line says, or why it says nothing; the sentence repeats no value of the line. */
  read(text: string): TransferLine | string {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    return this.#fits(parsed) ? parsed : worded(this.#fits.errors?.[0]);
  }
}

function worded(error: ErrorObject | undefined): string {
  const place = error?.instancePath.slice(1) ?? '';
  const field = place === '' ? 'the line' : `"${place}"`;
  if (error?.keyword === 'additionalProperties') return `${field} has a field that results do not have`;
  if (error?.keyword === 'enum') return `${field} must be one of ${error.params.allowedValues.join(', ')}`;
  if (error?.keyword === 'pattern') return `${field} holds a character that no name has`;
  return `${field} ${error?.message ?? 'does not fit the schema'}`;
}
