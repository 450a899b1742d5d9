import { PostgresTrouble } from './trouble.ts';

/** A database's URL. What it holds of a secret never leaves in a message, a log or JSON: only `place` is shown. */
export class PostgresAddress {
  /** `host:port/database`. */
  readonly place: string;
  /** Returns whether the URL contains a password. The client's usual ways (PGPASSWORD, .pgpass) need none in it. */
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

/** Does a text begin as such a URL does, so that it is no file's name? */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text);
}
