import { OneLineError } from '@candleproof/files/usage-error';
import type { FailureKind, Phase, TransportFailure } from '@candleproof/law/reading/exchange';

/** The failure of an exchange, before its phase is added. */
export class TransferError extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const KIND_OF_CODE: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'protocol',
};

/** Words in OpenSSL's and Node's codes for a certificate's defects; ERR_SSL_ codes are alerts and broken records. */
const CERTIFICATE_CODE =
  /^(?!ERR_SSL_).*(CERT|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH)/;

/** OpenSSL's messages for a first answer that is not a TLS record. */
const NO_TLS = /wrong version number|packet length too long|http request/;

/** Classifies a socket, TLS, parser or decoder error. Its message is not yet redacted. */
export function failureFrom(error: unknown, phase: Phase): TransportFailure {
  if (error instanceof TransferError) return { phase, kind: error.kind, message: error.message };
  const code = errorCode(error);
  return { phase, kind: kindOf(code, phase), message: describeFailure(error, code) };
}

function kindOf(code: string, phase: Phase): FailureKind {
  const known = KIND_OF_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_') || code.startsWith('ERR_SSL_')) return 'protocol';
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  if (phase === 'dns' || phase === 'connect') return 'unreachable';
  return phase === 'tls' ? 'protocol' : 'reset';
}

function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}

/** An AggregateError, which holds one error per tried address, has no message. */
function describeFailure(error: unknown, code: string): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((cause) => (cause instanceof Error ? cause.message : String(cause))).join('; ');
  }
  const text = error instanceof Error ? error.message.trim() : String(error);
  if (NO_TLS.test(text)) return 'it answers without TLS, as plain HTTP does: give the port that speaks HTTPS';
  return code === '' || text.includes(code) ? text : `${text} (${code})`;
}

/** A failure of the caller, never of the target: a bad option, an unsendable header, a closed client. */
export class ClientError extends OneLineError {
  override readonly name = 'ClientError';
}
