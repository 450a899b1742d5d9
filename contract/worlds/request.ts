import type { Credential, HeaderLine } from '../reading/exchange.ts';

/** A request of a run; its path may depend on the server's last reported time. */
export type Request = {
  readonly name: string;
  readonly credential: Credential;
  readonly path: (serverNow: number) => string;
  /** GET where absent. */
  readonly method?: string;
  readonly headers?: readonly HeaderLine[];
  readonly plainHttp?: true;
  /** Sent at the same time as its neighbors. */
  readonly together?: true;
};
