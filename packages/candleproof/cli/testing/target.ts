import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ready } from '@candleproof/command/command';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';

/** A service in this process, with the files that the flags of a command name. */
export type RunningTarget = { readonly ready: Ready; stop(): Promise<void> };

/** Starts a target in this process, with nine days of history and its store in `folder`. */
export async function startTarget(folder: string, options: ServiceOptions = {}): Promise<RunningTarget> {
  const dataDir = join(folder, 'store');
  const service = await startBuilt({ historyDays: 9, ...options, dataDir });
  const { url, apiKeyFile, caPem, poolsV1, poolsV2, operatorUrl, operatorToken } = service;
  const caFile = join(dataDir, 'ca.pem');
  writeFileSync(caFile, caPem);
  const ready: Ready = {
    ...{ url, apiKeyFile, caFile, poolsV1: [...poolsV1], poolsV2: [...poolsV2], pid: process.pid },
    operatorUrl,
    operatorToken,
  };
  return { ready, stop: service.close };
}
