import type { FailureKind, Phase, TransportFailure } from '../../contract/reading/exchange.ts';
import type { HarNode } from './har-node.ts';

type Meaning = readonly [pattern: RegExp, kind: FailureKind, phase: Phase];

/** Words in the errors of Chromium (net::ERR_…), Firefox (NS_ERROR_…), Playwright and proxies. */
const MEANINGS: readonly Meaning[] = [
  [/CERT|SEC_ERROR|SSL_ERROR_BAD_CERT/i, 'certificate', 'tls'],
  [/SSL|TLS/i, 'protocol', 'tls'],
  [/NAME_NOT_RESOLVED|UNKNOWN_HOST|ENOTFOUND/i, 'unreachable', 'dns'],
  [/UNREACH/i, 'unreachable', 'connect'],
  [/REFUSED/i, 'refused', 'connect'],
  [/TIMED?[_ ]?OUT/i, 'timeout', 'wait'],
  [/LENGTH_MISMATCH|INCOMPLETE_CHUNKED|PARTIAL_TRANSFER/i, 'truncated', 'receive'],
  [/DECODING|CORRUPTED_CONTENT/i, 'undecodable', 'receive'],
  [/RESET|CONNECTION[_ ]CLOSED|CLOSED CONNECTION|EMPTY_RESPONSE|HANG UP/i, 'reset', 'wait'],
  [/INVALID_(HTTP_)?RESPONSE|HTTP2_PROTOCOL|QUIC_PROTOCOL/i, 'protocol', 'wait'],
];

/** An entry that says nothing of the target, and why, in words that follow a number of entries. */
export type Skipped = { readonly skipped: string };

/**
 * Returns the failure of an entry that broke off or has no answer; undefined for one that was answered. Only errors
 * that are known to happen on the way are the target's: a browser blocks, cancels and loses requests by itself, too.
 */
export function foreignFailure(entry: HarNode, answered: boolean): TransportFailure | Skipped | undefined {
  if (entry.member('_wasFulfilled').value === true) return { skipped: 'answered by the test itself' };
  const message = errorOf(entry);
  if (message === undefined) return answered ? undefined : { skipped: 'no response' };
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message));
  if (!meaning) return { skipped: 'blocked or called off by the browser' };
  const [, kind, phase] = meaning;
  return { phase: answered ? 'receive' : phase, kind, message };
}

function errorOf(entry: HarNode): string | undefined {
  const response = entry.member('response');
  return [response.member('_error'), response.member('_failureText'), entry.member('_error')]
    .map(({ value }) => value)
    .find((value) => typeof value === 'string' && value !== '') as string | undefined;
}
