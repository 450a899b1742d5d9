import { writeSync } from 'node:fs';
import { startService } from '../start.ts';

// Runs a service on a folder in a separate process that can be killed.
const [dataDir = ''] = process.argv.slice(2);
const { url, apiKey, caPem } = await startService({ dataDir });
writeSync(1, `${JSON.stringify({ url, apiKey, caPem })}\n`);
