import { PostgresTrouble } from './trouble.ts';

/** A database's URL. Its password must never reach a message, log or JSON; print only `place`. */
export class PostgresAddress {
  /** `host:port/database`, such as `db.example:5433/results`. */
  readonly place: string;
  /**
   * True if the URL contains a password. Callers reject such a URL in a flag or a config, which others can read;
   * without one in the URL the client takes it from PGPASSWORD or .pgpass.
   */
  readonly holdsPassword: boolean;
  readonly #url: string;

  /** Takes `postgres://user@host:5432/database`. Throws PostgresTrouble for anything else, without repeating it. */
  constructor(url: string) {
    const parsed = isPostgresUrl(url) ? URL.parse(url) : null;
    if (parsed === null || parsed.pathname.length < 2)
      throw new PostgresTrouble('refused', 'no URL such as postgres://user@host:5432/database');
    const { hostname, port, pathname, password, searchParams } = parsed;
    const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost');
    this.place = `${host}${port ? `:${port}` : ''}${decodeURIComponent(pathname)}`;
    this.holdsPassword = password !== '' || searchParams.has('password');
    this.#url = url;
  }

  /** The whole URL, for a client that connects. */
  get secretUrl(): string {
    return this.#url;
  }
}

/** Returns whether the text is a postgres:// URL rather than a file name. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text);
}
