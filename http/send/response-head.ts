import type { IncomingMessage } from 'node:http';
import type { HeaderLine, ReceivedResponse } from '../../contract/reading/exchange.ts';

export type ResponseHead = Omit<ReceivedResponse, 'body'>;

/** Status line and headers as they came, repetitions and case unchanged. */
export function headOf(response: IncomingMessage): ResponseHead {
  const raw = response.rawHeaders;
  const headers: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    httpVersion: `HTTP/${response.httpVersion}`,
    headers,
  };
}
