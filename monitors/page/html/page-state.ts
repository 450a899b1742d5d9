/**
 * The state of a page: the choices of its reader. A served page keeps them in the query of its URL, so that they outlast
 * its reloads: `?target=testnet&window=7d&open=quota,watch-2`. The pages of a written report are files beside each other.
 */
export type PageState = {
  /** Seconds until the page reloads itself, such as 60; undefined for `/still` and for a written report. */
  readonly refresh?: number | undefined;
  /** The target that the page shows in full; undefined for the index of all. */
  readonly target?: string | undefined;
  /** The period that the page shows, such as `7d`; undefined for the usual one. */
  readonly window?: string | undefined;
  /** The file of each target's page in a written report; undefined for a served page. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  /** Ids of the parts that stay open, such as `quota` and `watch-2`. */
  readonly open: readonly string[];
};

/** Most ids of open parts that are read from a URL; no page has as many parts. */
const mostOpen = 40;

/** The first file of a written report. */
export const indexFile = 'index.html';

/** Reads the choices from the query of a URL; ignores invalid ones. */
export function readPageState(query: string, refresh?: number): PageState {
  const named = new URLSearchParams(query);
  const open = (named.get('open') ?? '').split(',').filter((id) => /^[a-z]+(-[a-z0-9]{1,9})*$/.test(id));
  const [target, window] = ['target', 'window'].map((name) => named.get(name) ?? undefined);
  return { refresh, target, window, open: [...new Set(open)].slice(0, mostOpen) };
}

/** Returns the URL of a page with these choices, relative to itself. */
export function stateAddress({ target, window, open }: PageState): string {
  const named = new URLSearchParams({
    ...(target !== undefined && { target }),
    ...(window && { window }),
    ...(open.length > 0 && { open: open.join() }),
  });
  return `?${named}`;
}

/** Returns whether a page is served, and keeps the choices of its reader in its URL. */
export function isServed(state: PageState | undefined): state is PageState {
  return state !== undefined && state.files === undefined;
}

/** Returns the URL of the page of a target, or of the index without one; that of a served page keeps the window. */
export function pageAddress({ window, files }: PageState, target?: string): string {
  if (files) return target === undefined ? indexFile : (files.get(target) ?? indexFile);
  return stateAddress({ window, target, open: [] });
}

/**
 * Returns the URL of a part of the page. On a page that reloads it keeps the part open, and the part that contains it:
 * `?open=incidents,evidence-1#evidence-1`.
 */
export function partAddress(state: PageState | undefined, id: string, container = id): string {
  if (state?.refresh === undefined) return `#${id}`;
  return `${stateAddress({ ...state, open: [...new Set([...state.open, container, id])] })}#${id}`;
}

/** Returns the URL of the page with a part no longer kept open. */
export function foldedAddress(state: PageState, id: string): string {
  return stateAddress({ ...state, open: state.open.filter((other) => other !== id) });
}
