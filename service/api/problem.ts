import { STATUS_CODES } from 'node:http';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import type { Choices } from './choices.ts';
import type { Reply } from './message.ts';
import { Refusal } from './refusal.ts';

/**
 * The answer to a refused request: problem details (RFC 9457), or a bare message where the choices say so.
 * It is an object in both forms and names neither key nor parameter values.
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
 * What the caller receives when the service itself is at fault, or its database is away for a while; the cause goes to
 * the log.
 */
export function ownFault(cause: unknown): Refusal {
  if (cause instanceof PostgresTrouble && cause.kind === 'unreachable') {
    const headers = [['Retry-After', '1']] as const;
    return new Refusal(503, 'store-away', 'The store is out of reach just now: ask again.', { headers });
  }

  return new Refusal(500, 'internal', 'The service could not answer. The request was not counted.');
}
