import type { FailureKind, Phase, TransportFailure } from '../contract/exchange.ts';
import type { HarNode } from './har-node.ts';

type Meaning = readonly [pattern: RegExp, kind: FailureKind, phase: Phase];

/** Words in the error names of Chromium (net::ERR_…), Firefox (NS_ERROR_…) and Playwright. */
const MEANINGS: readonly Meaning[] = [
  [/CERT|SEC_ERROR|SSL_ERROR_BAD_CERT/i, 'certificate', 'tls'],
  [/SSL|TLS/i, 'protocol', 'tls'],
  [/NAME_NOT_RESOLVED|UNKNOWN_HOST/i, 'unreachable', 'dns'],
  [/REFUSED/i, 'refused', 'connect'],
  [/TIMED?_?OUT/i, 'timeout', 'wait'],
  [/LENGTH_MISMATCH|INCOMPLETE_CHUNKED|PARTIAL_TRANSFER/i, 'truncated', 'receive'],
  [/DECODING|CORRUPTED_CONTENT/i, 'undecodable', 'receive'],
  [/RESET|CONNECTION_CLOSED|EMPTY_RESPONSE/i, 'reset', 'wait'],
  [/INVALID_(HTTP_)?RESPONSE|HTTP2_PROTOCOL|QUIC_PROTOCOL/i, 'protocol', 'wait'],
];

/**
 * What a browser's entry tells of a failure; an answer without an error is none. Errors of the browser's own doing, such
 * as a request that was called off, count as not having reached the target.
 */
export function foreignFailure(entry: HarNode, answered: boolean): TransportFailure | undefined {
  const response = entry.member('response');
  const message = [response.member('_error'), response.member('_failureText'), entry.member('_error')]
    .map(({ value }) => value)
    .find((value) => typeof value === 'string' && value !== '');
  if (typeof message !== 'string') {
    const silent = {
      phase: 'connect',
      kind: 'unreachable',
      message: 'the recording holds no response',
    } as const;
    return answered ? undefined : silent;
  }
  const [, kind, phase] =
    MEANINGS.find(([pattern]) => pattern.test(message)) ?? ([null, 'unreachable', 'connect'] as const);
  return { phase: answered ? 'receive' : phase, kind, message };
}
