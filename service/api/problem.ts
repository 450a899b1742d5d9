import { STATUS_CODES } from 'node:http';
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

/** What the caller receives when the service itself is at fault; the cause goes to the log. */
export function ownFault(): Refusal {
  return new Refusal(500, 'internal', 'The service could not answer. The request was not counted.');
}
