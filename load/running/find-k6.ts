import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';

export type K6 = { readonly file: string; readonly version: string };

/** The version that the scripts were measured with. */
const module = 'go.k6.io/k6/v2@v2.2.0';

const howToGet = `install it (grafana.com/docs/k6/latest/set-up/install-k6, a package manager, or go install ${module}), or name its file in K6_BIN`;

/** Finds k6 by K6_BIN, on the path or in Go's bin folders; undefined if there is none. */
export function findK6(env: NodeJS.ProcessEnv = process.env): K6 | undefined {
  const named = env.K6_BIN;
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    ...(env.GOBIN ? [env.GOBIN] : []),
    ...(env.GOPATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, 'bin')),
    join(homedir(), 'go', 'bin'),
  ];
  const name = process.platform === 'win32' ? 'k6.exe' : 'k6';
  const files = named ? [named] : folders.filter(Boolean).map((folder) => join(folder, name));
  const file = files.find(isExecutable);
  if (file === undefined) return undefined;
  const { stdout } = spawnSync(file, ['version'], { encoding: 'utf8', timeout: 20_000 });
  const version = /\bv(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
  return version === undefined ? undefined : { file, version };
}

/** Throws a UsageError if there is none, or one that cannot run the scripts. */
export function requireK6(env: NodeJS.ProcessEnv = process.env): K6 {
  const found = findK6(env);
  if (!found) {
    const where = env.K6_BIN
      ? `K6_BIN: ${env.K6_BIN} is no k6`
      : 'load: there is no k6 here, which --segment, --plan and more than 2,000 requests a second are sent by';
    throw new UsageError(`${where}: ${howToGet}`);
  }
  if (Number(found.version.split('.')[0]) < 2)
    throw new UsageError(`load: ${found.file} is k6 ${found.version}, version 2 is needed: ${howToGet}`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
