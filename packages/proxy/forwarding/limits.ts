/** The limits of clients at the proxy, and of requests at the upstream. */
export type ProxyLimits = {
  /** Simultaneous connections of clients, at most half of them from one address. */
  readonly clients: number;
  /** Simultaneous requests of one address at the upstream; more of them wait. */
  readonly clientRequests: number;
  /** Open requests, including waiting ones; at most half of them from one address. */
  readonly requests: number;
  /** Simultaneous connections to the upstream, kept and reused. */
  readonly upstream: number;
  /** Longest time in ms without activity on a connection. */
  readonly idleMs: number;
  /** Longest time in ms for a handshake, and for the headers of a request. */
  readonly headerMs: number;
};

export const usualLimits: ProxyLimits = {
  clients: 512,
  clientRequests: 64,
  requests: 8192,
  upstream: 128,
  idleMs: 30_000,
  headerMs: 10_000,
};

/** Reasons why something was not passed on, each with a separate count. */
export type ReasonNotPassed =
  | 'too many clients'
  | 'too many requests'
  | 'waited too long'
  | 'header too late'
  | 'idle'
  | 'malformed'
  | 'interim answer';

export type OnNotPassed = (reason: ReasonNotPassed) => void;
