import { writeSync } from 'node:fs';
import { isPostgresUrl, PostgresAddress } from '@candleproof/postgres/address';
import { ingest } from '../ingest/ingest.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';

/** Yields minutes without end; price and volume are the minute's number. */
async function* lines(): AsyncGenerator<string> {
  const amounts = { volumeUsd: '1', liquidity: '9', liquidityUsd: '3' };
  yield '{"type":"pool","generation":"v2","id":1}\n';
  for (let minute = 1; ; minute++) {
    const line = { type: 'observation', generation: 'v2', pool: 1, time: minute * 60, price: minute };
    yield `${JSON.stringify({ ...line, volume: String(minute), ...amounts })}\n`;
  }
}

// Ingests into a folder or a database in a separate process that can be killed.
const [place = '', batchSize] = process.argv.slice(2);
const isDatabase = isPostgresUrl(place);
const store = isDatabase ? await openPostgresStore(new PostgresAddress(place)) : openStore(place);
await ingest(store, lines(), {
  batchSize: Number(batchSize),
  onProgress: ({ accepted }) => writeSync(1, `${accepted.observations}\n`),
});
