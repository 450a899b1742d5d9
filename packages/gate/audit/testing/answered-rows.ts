import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Candle } from '@candleproof/law/reading/candle';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readExchange } from '@candleproof/law/reading/reading';

const spec = loadSpec('openapi.yaml');
const baseUrl = 'https://target.invalid';
const target = { name: 'target', baseUrl, pools: { v2: [1] }, keyless: true, soleUser: false };

/** A row as an answer holds it; Unix seconds. */
type HourRow = Readonly<Record<string, unknown>> & {
  readonly startTimestampSeconds: number;
  readonly timestampSeconds: number;
};

/** Reads the candles of an answer that holds these hours. */
export function readHours(rows: readonly HourRow[]): readonly Candle[] {
  const [from, to] = [rows[0]?.startTimestampSeconds ?? 0, rows.at(-1)?.timestampSeconds ?? 0];
  const url = `${baseUrl}/v2/pools/conversionRates/1?interval=HOUR&from=${from}&to=${to}`;
  const body = { text: JSON.stringify(rows), encoding: 'utf8' } as const;
  const exchange: Exchange = {
    request: { method: 'GET', url, headers: [], credential: 'none' },
    response: { status: 200, statusText: '', httpVersion: '1.1', headers: [], body },
    ...{ startedAt: new Date(to * 1000).toISOString(), timings: { total: 9 } },
  };
  return readExchange(spec, target, exchange, 0).candles;
}
