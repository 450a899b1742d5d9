import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, HeaderLine, TargetFacts } from '../reading/exchange.ts';
import { readExchange } from '../reading/reading.ts';

/** Compiles the text of a document. */
export function writeSpec(text: string): Spec {
  const folder = mkdtempSync(join(tmpdir(), 'other-'));
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, text);
  try {
    return loadSpec(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Times in ISO 8601, lengths as numbers, the low before the high, a custom key header. */
export const exchangeText = `
openapi: 3.1.0
info: { title: Exchange, version: '1' }
security: [{ key: [] }]
paths:
  /products/{product}/candles:
    get:
      x-role: history
      x-max-rows: 300
      parameters:
        - { name: product, x-role: pool, in: path, required: true, schema: { type: string } }
        - { name: granularity, x-role: interval, in: query, required: true, schema: { type: integer, enum: [60, 300, 3600, 21600, 86400], x-seconds: { 60: 60, 300: 300, 3600: 3600, 21600: 21600, 86400: 86400 } } }
        - { name: start, x-role: from, x-unit: iso, in: query, schema: { type: string } }
        - { name: end, x-role: to, x-unit: iso, in: query, schema: { type: string } }
        - { name: region, in: query, required: true, schema: { type: string, default: us } }
        - { name: limit, in: query, schema: { type: integer, default: 100 } }
        - { name: from, in: query, schema: { type: string } }
      responses:
        '200':
          description: Rows.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: array
                  prefixItems:
                    - { x-role: start, type: integer }
                    - { x-role: low, type: number }
                    - { x-role: high, type: number }
                    - { x-role: open, type: number }
                    - { x-role: close, type: number }
                    - { x-role: volume, type: number }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Other-Key } }
`;
export const target: TargetFacts = {
  name: 'other',
  baseUrl: 'https://other.invalid',
  pools: { pools: ['BTC-USD'] },
  keyless: false,
  soleUser: true,
};

/** Reads the answer of a target of such a document to a path, with a body in JSON. */
export function answer(
  spec: Spec,
  path: string,
  body: unknown,
  headers: readonly HeaderLine[] = [],
  sent: Partial<Exchange['request']> = {},
) {
  const exchange: Exchange = {
    request: { method: 'GET', url: `${target.baseUrl}${path}`, headers, credential: 'api-key', ...sent },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [['date', 'Wed, 11 Mar 2026 15:32:20 GMT']],
      body: { text: JSON.stringify(body), encoding: 'utf8' },
    },
    timings: { total: 1 },
    startedAt: '2026-03-11T15:32:20Z',
  };
  return readExchange(spec, target, exchange, 0);
}
