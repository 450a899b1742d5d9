import { type ClientRequest, request as startPlainRequest } from 'node:http';
import { request as startRequest } from 'node:https';
import { ClientError } from './client-error.ts';
import type { TunnelledOptions } from './tunnel.ts';

/** Node refuses what no HTTP request can say before it opens a socket. */
export function started(options: TunnelledOptions): ClientRequest {
  try {
    return options.protocol === 'http:' ? startPlainRequest(options) : startRequest(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError(`The request cannot be sent as it is: ${reason}.`, { cause: error });
  }
}
