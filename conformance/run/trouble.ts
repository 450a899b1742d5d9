import type { Exchange } from '../../contract/reading/exchange.ts';

/** Why a target can be sent nothing more, by its answer to a proper request with our key; undefined where it can. */
export function troubleOf({ response, failure }: Exchange): string | undefined {
  if (failure) return `the target does not answer: ${failure.message}`;
  const status = response?.status ?? 0;
  if (status === 401 || status === 403) return `the key was refused (${status})`;
  if (status === 429) return 'the quota of the key is spent (429)';
  return status === 200 ? undefined : `the token list is answered ${status}`;
}
