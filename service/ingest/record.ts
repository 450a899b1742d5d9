import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Generation } from '../market/pools.ts';

/** A token line: the documented fields (§2.1). */
export type TokenLine = {
  readonly type: 'token';
  readonly id: string;
  readonly icon: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly price: string;
  readonly priceUsd: number;
  readonly dueDiligenceComplete: boolean;
  readonly isFeeOnTransferToken: boolean;
};
export type PoolLine = { readonly type: 'pool'; readonly generation: Generation; readonly id: number };

/** A pool at one full minute (Unix seconds); amounts are tinybars or USD, as decimal text. */
export type ObservationLine = {
  readonly type: 'observation';
  readonly generation: Generation;
  readonly pool: number;
  readonly time: number;
  readonly price: number;
  readonly volume: string;
  readonly volumeUsd: string;
  readonly liquidity: string;
  readonly liquidityUsd: string;
};
export type MarketRecord = TokenLine | PoolLine | ObservationLine;

const SCHEMA = JSON.parse(readFileSync(new URL('./record.schema.json', import.meta.url), 'utf8'));

/** Reads lines by the published schema, record.schema.json. */
export class RecordReader {
  readonly #fits = new Ajv2020({ strict: true, strictRequired: false }).compile<MarketRecord>(SCHEMA);

  /** The record of one line, or a sentence that says why it is none; the sentence repeats no value of the line. */
  read(line: string): MarketRecord | string {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      return 'is not JSON';
    }
    if (this.#fits(parsed)) return parsed;
    return worded(this.#fits.errors?.[0]);
  }
}

function worded(error: ErrorObject | undefined): string {
  const field = error?.instancePath.slice(1) || 'the line';
  if (error?.keyword === 'additionalProperties') return `${field} has a field that the schema does not know`;
  return `${field} ${error?.message ?? 'does not fit the schema'}`;
}
