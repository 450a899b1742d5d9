import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where things are kept that cannot be made again: this platform's folder for a user's state, or CANDLEPROOF_STATE_DIR. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  if (env.CANDLEPROOF_STATE_DIR) return env.CANDLEPROOF_STATE_DIR;
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'candleproof', 'state');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'candleproof');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'candleproof');
}

/** The accounts of all keys that are used from this machine. */
export function ledgerFile(env: NodeJS.ProcessEnv = process.env): string {
  return ledgerIn(stateFolder(env));
}

/** The same in a folder of one's own choice. */
export function ledgerIn(folder: string): string {
  return join(folder, 'ledger.db');
}
