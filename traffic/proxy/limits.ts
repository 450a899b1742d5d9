/** The limits of clients at the proxy, and through it at the upstream. */
export type ProxyLimits = {
  /** Connections of clients at a time, half of them of one address. */
  readonly clients: number;
  /** Requests of one address that are at the upstream at a time; more of them wait. */
  readonly clientRequests: number;
  /** Requests that are under way, those that wait included; half of them of one address. */
  readonly requests: number;
  /** Connections to the upstream at a time, kept and reused. */
  readonly upstream: number;
  /** Longest time in ms in which nothing moves on a connection. */
  readonly idleMs: number;
  /** Longest time in ms for a handshake, and for the head of a request. */
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

/** Why something did not pass, each with its count. */
export type ReasonNotPassed =
  | 'too many clients'
  | 'too many requests'
  | 'waited too long'
  | 'header too late'
  | 'idle'
  | 'malformed'
  | 'interim answer';

export type OnNotPassed = (reason: ReasonNotPassed) => void;
