import { writeSync } from 'node:fs';
import { ingest } from '../ingest/ingest.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';

/** Minute after minute without end; the price, and the volume, is the minute's number. */
async function* lines(): AsyncGenerator<string> {
  const amounts = { volumeUsd: '1', liquidity: '9', liquidityUsd: '3' };
  yield '{"type":"pool","generation":"v2","id":1}\n';
  for (let minute = 1; ; minute++) {
    const line = { type: 'observation', generation: 'v2', pool: 1, time: minute * 60, price: minute };
    yield `${JSON.stringify({ ...line, volume: String(minute), ...amounts })}\n`;
  }
}

// An ingestion into a folder, so many lines at a time, in a process of its own that may be killed.
const [folder = '', batchSize] = process.argv.slice(2);
await ingest(openStore(folder), lines(), {
  batchSize: Number(batchSize),
  onProgress: ({ accepted }) => writeSync(1, `${accepted.observations}\n`),
});
