import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Licenses that allow redistribution without legal review. */
const accepted = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
]);

type Locked = {
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** True for a folder of the clone, which is not published. */
  readonly link?: boolean;
  readonly license?: string;
};

/** Lists packages that users install under a license that is not accepted, by the lock file. */
export function unacceptedLicences(packages: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(packages)
    .filter(
      ([path, locked]) => path.startsWith('node_modules/') && !locked.dev && !locked.optional && !locked.link,
    )
    .filter(([, { license }]) => !accepted.has(license ?? ''))
    .map(([path, { license = 'no licence' }]) => `${path.replace('node_modules/', '')}: ${license}`);
}

/** Reads the packages of the lock file. */
export function lockedPackages(): Record<string, Locked> {
  const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
