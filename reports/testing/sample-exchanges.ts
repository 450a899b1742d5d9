import type { Exchange } from '@candleproof/law/reading/exchange';
import { hostile } from './hostile.ts';
import { sampleFindings } from './sample-findings.ts';

const most = Math.max(...sampleFindings.flatMap(({ examples }) => examples.map(({ exchange }) => exchange)));

/** An exchange for each index that the sample findings name, with texts that try to escape. */
export const sampleExchanges: readonly Exchange[] = Array.from({ length: most + 1 }, (_, index) => ({
  request: {
    method: 'GET',
    url: `https://api.testnet.example/dex/v2/pools/conversionRates/1?interval=HOUR&n=${index}`,
    headers: [['x-api-key', '[redacted:api-key]']],
    credential: 'api-key',
  },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Request-Id', `request-${index}`],
      ['X-Hostile', hostile.script],
    ],
    body: {
      text: `[{"open":1}]\n${hostile.script}${'x'.repeat(3000)}`,
      encoding: 'utf8',
      decodedBytes: 3100,
    },
  },
  timings: { total: 12.4 },
  startedAt: '2025-11-12T13:05:08.250Z',
}));
