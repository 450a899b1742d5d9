import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder for data that can be recreated: CANDLEPROOF_CACHE, or the user's cache folder on this platform.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CANDLEPROOF_CACHE) return env.CANDLEPROOF_CACHE;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'candleproof', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'candleproof');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'candleproof');
}

/** Returns the folder for data that cannot be recreated: CANDLEPROOF_STATE_DIR, or the user's state folder. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  if (env.CANDLEPROOF_STATE_DIR) return env.CANDLEPROOF_STATE_DIR;
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'candleproof', 'state');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'candleproof');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'candleproof');
}

/** Returns the file with the accounts of all keys that are used from this machine. */
export function ledgerFile(env: NodeJS.ProcessEnv = process.env): string {
  return ledgerFileBelow(stateFolder(env));
}

/** Returns the file with these accounts in a given folder. */
export function ledgerFileBelow(folder: string): string {
  return join(folder, 'ledger.db');
}

export type Environment = Readonly<Record<string, string | undefined>>;
