import { STATUS_CODES } from 'node:http';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import type { Choices } from './choices.ts';
import type { Reply, ReplyHeader } from './message.ts';

/** One mistake in a request. Never repeats what was sent. */
export type Complaint = { readonly in: 'query' | 'path'; readonly name: string; readonly reason: string };

/** Thrown if a request is refused; `problemReply` turns it into a reply. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Stable, for use by programs. */
  readonly code: string;
  readonly complaints: readonly Complaint[];
  readonly headers: readonly ReplyHeader[];

  constructor(
    status: number,
    code: string,
    detail: string,
    extra: { readonly complaints?: readonly Complaint[]; readonly headers?: readonly ReplyHeader[] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.complaints = extra.complaints ?? [];
    this.headers = extra.headers ?? [];
  }
}

/**
 * Returns the reply to a refused request: problem details (RFC 9457), or a bare message by choice. Both are JSON objects
 * that contain neither the key nor parameter values.
 */
export function problemReply(refusal: Refusal, requestId: string, errorBody: Choices['errorBody']): Reply {
  const { status, code, message: detail, complaints, headers } = refusal;
  if (errorBody === 'message') {
    const plain: Reply['headers'] = [['Content-Type', 'application/json; charset=utf-8'], ...headers];
    return { status, headers: plain, body: JSON.stringify({ message: detail }) };
  }
  const problem = {
    type: `urn:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    code,
    errors: complaints,
    requestId,
  };
  return {
    status,
    headers: [['Content-Type', 'application/problem+json'], ...headers],
    body: JSON.stringify(problem),
  };
}

/**
 * Returns the refusal for an error of the service itself (500), or for an unreachable database (503). The caller logs
 * the cause.
 */
export function internalRefusal(cause: unknown): Refusal {
  if (cause instanceof PostgresTrouble && cause.kind === 'unreachable') {
    const headers = [['Retry-After', '1']] as const;
    return new Refusal(503, 'store-away', 'The store is out of reach just now: ask again.', { headers });
  }

  return new Refusal(500, 'internal', 'The service could not answer. The request was not counted.');
}
