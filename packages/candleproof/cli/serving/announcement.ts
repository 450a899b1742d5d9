import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { NamedFile } from '@candleproof/files/named-file';
import { ownerOnly, writeNamedFiles } from '@candleproof/files/write-files';
import type { RunningService } from '@candleproof/reference-service/start';
import { FileOption, isStdout } from '../running/file-option.ts';
import { wordStream, writeText } from '../words/output.ts';

/** A service that listens in this process or in others; the key's text stays in its file. */
type Announced = Pick<
  RunningService,
  'url' | 'apiKeyFile' | 'caPem' | 'poolsV1' | 'poolsV2' | 'operatorUrl' | 'operatorToken'
>;

/** The facts of a listening service for scripts; all paths are absolute. */
type Ready = Omit<Announced, 'caPem'> & { readonly caFile: string; readonly pid: number };

/** Announces a listening service on stdout, and in a ready file if requested. Throws a UsageError. */
export function announce(
  service: Announced,
  { data, readyFile, profile }: { data: string; readyFile?: NamedFile; profile?: string },
): void {
  const { url, apiKeyFile, caPem, poolsV1, poolsV2, operatorUrl, operatorToken } = service;
  writeNamedFiles('--data', data, { 'ca.pem': caPem }, ownerOnly);
  const caFile = join(data, 'ca.pem');
  const access = profile === 'testnet' ? '--keyless --gaps idle' : `--api-key-file ${apiKeyFile}`;
  wordStream({ json: isStdout(readyFile) }).write(
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
  writeText(readyFile, `${JSON.stringify(ready)}\n`);
}

function tokenPlace(readyFile: NamedFile | undefined): string {
  return readyFile === undefined ? ' (to look only: --ready-file FILE holds the token for changes)' : '';
}

/** Takes the ready file away, unless a later service has written it again. */
export function withdraw(readyFile: NamedFile | undefined): void {
  if (readyFile === undefined || isStdout(readyFile)) return;
  try {
    const { pid }: Ready = JSON.parse(readFileSync(readyFile.file, 'utf8'));
    if (pid === process.pid) rmSync(readyFile.file);
  } catch {
    // Somebody took it away, or put something else there.
  }
}

/** Makes the flag of a ready file; `holds` names the facts in it. That of a process that has ended is replaced. */
export function readyFileOption(holds: string): FileOption {
  return new FileOption('--ready-file <file>', `written once it listens: ${holds}`, {
    mode: ownerOnly,
    isLeftBehind: isOfEndedProcess,
  });
}

/** Returns whether a ready file is of no other process that runs; that of this one was written when its workers began. */
function isOfEndedProcess(text: string): boolean {
  const pid = readPid(text);
  if (pid === undefined) return false;
  if (pid === process.pid || pid === process.ppid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function readPid(text: string): number | undefined {
  try {
    const { url, pid } = JSON.parse(text) as Partial<Ready>;
    return typeof url === 'string' && Number.isSafeInteger(pid) && Number(pid) > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
