import type { Delivery } from './delivery.ts';
import type { Pieces } from './pieces.ts';

/** A request as the gate sees it, free of sockets. */
export type ApiRequest = {
  readonly method: string;
  /** The request target as sent: path and query. */
  readonly target: string;
  readonly apiKey: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Network address that it came from. */
  readonly client: string;
  /** It came over plain HTTP. */
  readonly plain?: boolean;
  /** The service's clock on arrival, milliseconds; the whole answer is as of this instant. */
  readonly now: number;
};

export type ReplyHeader = readonly [name: string, value: string];

/** A complete answer. HEAD leaves the body out when it is sent. */
export type Reply = {
  readonly status: number;
  readonly headers: readonly ReplyHeader[];
  readonly body: string | Pieces;
  /** Left out where it is sent at once and whole. */
  readonly delivery?: Delivery;
};

/** A JSON object that is about to become text. */
export type JsonObject = { readonly [field: string]: unknown };
