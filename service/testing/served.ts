import { writeSync } from 'node:fs';
import { startService } from '../start.ts';

// A service on a folder, in a process of its own that may be killed.
const [dataDir = ''] = process.argv.slice(2);
const { url, apiKey, caPem } = await startService({ dataDir });
writeSync(1, `${JSON.stringify({ url, apiKey, caPem })}\n`);
