import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Generation } from '../market/pools.ts';

/** A line with its number, from 1. The text of a line that is too long is undefined. */
export type IngestLine = { readonly number: number; readonly text: string | undefined };

/** Maximum length of a line in UTF-8 bytes. */
export const LONGEST_LINE = 65_536;

/**
 * Splits text into its non-blank lines, one array for each chunk. Only the number of a line that is too long is kept.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<IngestLine[]> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield cutter.cut(chunk);
  yield cutter.cut('\n');
}

class LineCutter {
  #number = 1;
  #line = '';
  #tooLong = false;

  cut(chunk: string): IngestLine[] {
    const lines: IngestLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      this.#append(chunk, from, end);
      const line = this.#endLine();
      if (line) lines.push(line);
      from = end + 1;
    }
    this.#append(chunk, from, chunk.length);
    return lines;
  }

  #append(chunk: string, from: number, to: number): void {
    if (this.#line.length + to - from > LONGEST_LINE) this.#tooLong = true;
    this.#line = this.#tooLong ? '' : this.#line + chunk.slice(from, to);
  }

  #endLine(): IngestLine | undefined {
    const number = this.#number++;
    const text = number === 1 ? this.#line.replace(/^\ufeff/, '') : this.#line;
    const tooLong = this.#tooLong || isLong(text);
    this.#line = '';
    this.#tooLong = false;
    if (tooLong) return { number, text: undefined };
    return text.trim() === '' ? undefined : { number, text };
  }
}

/** Skips measuring most lines: a code unit has at most three bytes. */
function isLong(text: string): boolean {
  return text.length * 3 > LONGEST_LINE && Buffer.byteLength(text) > LONGEST_LINE;
}

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

type PoolLine = { readonly type: 'pool'; readonly generation: Generation; readonly id: number };

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

/** Reads records by the published schema, record.schema.json. */
export class RecordReader {
  readonly #fits = new Ajv2020({ strict: true, strictRequired: false }).compile<MarketRecord>(SCHEMA);

  /** Returns the record of a line, or a message why it is invalid. The message repeats no value of the line. */
  read(line: string): MarketRecord | string {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      return 'is not JSON';
    }
    if (this.#fits(parsed)) return parsed;
    return describeError(this.#fits.errors?.[0]);
  }
}

function describeError(error: ErrorObject | undefined): string {
  const field = error?.instancePath.slice(1) || 'the line';
  if (error?.keyword === 'additionalProperties') return `${field} has a field that the schema does not know`;
  return `${field} ${error?.message ?? 'does not fit the schema'}`;
}
