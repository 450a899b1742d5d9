import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownerOnly, writeNamedFile, writeNamedFiles } from '../../files/write-files.ts';
import type { ServingService } from '../../service/serving.ts';

/** The facts of a listening service for scripts; all paths are absolute. */
type Ready = Pick<
  ServingService,
  'url' | 'apiKeyFile' | 'poolsV1' | 'poolsV2' | 'operatorUrl' | 'operatorToken'
> & {
  readonly caFile: string;
  readonly pid: number;
};

/** Announces a listening service on stdout, and in a ready file if requested. Throws a UsageError. */
export function announce(
  service: Omit<ServingService, 'apiKey' | 'close'>,
  { data, readyFile, profile }: { data: string; readyFile?: string; profile?: string },
): void {
  const { url, apiKeyFile, caPem, poolsV1, poolsV2, operatorUrl, operatorToken } = service;
  writeNamedFiles('--data', data, { 'ca.pem': caPem }, ownerOnly);
  const caFile = join(data, 'ca.pem');
  const access = profile === 'testnet' ? '--keyless --gaps idle' : `--api-key-file ${apiKeyFile}`;
  process.stdout.write(
    [
      `serving ${url}`,
      `try it: npx candleproof check --base-url ${url} ${access} --ca-file ${caFile} --pools-v1 ${poolsV1.join(',')} --pools-v2 ${poolsV2.join(',')}`,
      ...(operatorUrl === undefined ? [] : [`operator: ${operatorUrl}${tokenPlace(readyFile)}`]),
      '',
    ].join('\n'),
  );
  if (readyFile === undefined) return;
  const ready: Ready = {
    ...{ url, apiKeyFile: resolve(apiKeyFile), caFile: resolve(caFile), poolsV1, poolsV2, pid: process.pid },
    operatorUrl,
    operatorToken,
  };
  writeNamedFile('--ready-file', readyFile, `${JSON.stringify(ready)}\n`, ownerOnly);
}

function tokenPlace(readyFile: string | undefined): string {
  return readyFile === undefined ? ' (to look only: --ready-file FILE holds the token for changes)' : '';
}

/** Takes the ready file away, unless a later service has written it again. */
export function withdraw(readyFile: string | undefined): void {
  if (readyFile === undefined) return;
  try {
    const { pid }: Ready = JSON.parse(readFileSync(readyFile, 'utf8'));
    if (pid === process.pid) rmSync(readyFile);
  } catch {
    // Somebody took it away, or put something else there.
  }
}
