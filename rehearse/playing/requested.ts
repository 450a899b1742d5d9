import { type Requested, recognise } from '../../contract/document/requested.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { HeardExchange } from '../heard.ts';

const base = 'https://double.invalid';

/** What each exchange requested, by its number; HEAD requests what GET does. */
export function requestedBy(spec: Spec, exchanges: readonly HeardExchange[]): Map<number, Requested> {
  return new Map(
    exchanges.flatMap(({ number, method, target }) => {
      const url = `${base}${target}`;
      const sent = {
        method: method === 'HEAD' ? 'GET' : method,
        url,
        headers: [],
        credential: 'api-key',
      } as const;
      const requested = recognise(spec, base, sent);
      return requested ? [[number, requested] as const] : [];
    }),
  );
}
