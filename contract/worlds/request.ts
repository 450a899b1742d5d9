import type { Credential, HeaderLine } from '../reading/exchange.ts';

/** A request of a run; its path may depend on the time that the target reported last. */
export type Request = {
  readonly name: string;
  readonly credential: Credential;
  readonly path: (serverNow: number) => string;
  /** GET where left out. */
  readonly method?: string;
  readonly headers?: readonly HeaderLine[];
  readonly plainHttp?: true;
  /** Sent at once with its neighbours. */
  readonly together?: true;
};
