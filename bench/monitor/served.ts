import { startService } from '../../service/start.ts';

// The reference service in a process of its own, so that its work is not counted as the monitor's.
const [dataDir = ''] = process.argv.slice(2);
const { url, apiKey, caPem, poolsV1, poolsV2, close } = await startService({
  dataDir,
  quota: { limit: 1e9 },
});
process.send?.({ url, apiKey, caPem, poolsV1, poolsV2 });
process.once('disconnect', () => void close());
