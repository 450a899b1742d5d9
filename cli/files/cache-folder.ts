import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where things are kept that can be made again: the user's cache folder of this platform, or CANDLEPROOF_CACHE. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CANDLEPROOF_CACHE) return env.CANDLEPROOF_CACHE;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'candleproof', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'candleproof');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'candleproof');
}
