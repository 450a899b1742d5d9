import { type Markup, markup } from '../../words/markup.ts';

/** A reader's choices on a served page, which its address keeps when it is loaded anew. */
export type PageState = {
  /** Seconds after which the page is loaded anew; undefined for one that stays as it is. */
  readonly refresh?: number | undefined;
  readonly window?: string | undefined;
  /** Ids of the parts that stay open. */
  readonly open: readonly string[];
};

/** Parts that an address keeps open; a page has fewer. */
const mostOpen = 40;

/** Reads the choices from the query of an address; what is no choice is left out. */
export function readPageState(query: string, refresh?: number): PageState {
  const named = new URLSearchParams(query);
  const open = (named.get('open') ?? '').split(',').filter((id) => /^[a-z]+(-[a-z0-9]{1,9})*$/.test(id));
  return { refresh, window: named.get('window') ?? undefined, open: [...new Set(open)].slice(0, mostOpen) };
}

/** Returns the address of a page with these choices, relative to itself. */
export function stateAddress({ window, open }: PageState): string {
  const named = new URLSearchParams({
    ...(window && { window }),
    ...(open.length > 0 && { open: open.join() }),
  });
  return `?${named}`;
}

/** Returns the address of a part; on a page that is loaded anew, one that keeps it open with what holds it. */
export function partAddress(state: PageState | undefined, id: string, holder = id): string {
  if (state?.refresh === undefined) return `#${id}`;
  return `${stateAddress({ ...state, open: [...new Set([...state.open, holder, id])] })}#${id}`;
}

/** Renders the link that keeps a part open, or lets it fold, on a page that is loaded anew. */
export function keepLink(state: PageState | undefined, id: string): Markup | undefined {
  if (state?.refresh === undefined) return undefined;
  if (!state.open.includes(id))
    return markup`<p class="keep"><a href="${partAddress(state, id)}">Keep this open</a></p>`;
  const open = state.open.filter((other) => other !== id);
  return markup`<p class="keep"><a href="${stateAddress({ ...state, open })}">Let this fold</a></p>`;
}
