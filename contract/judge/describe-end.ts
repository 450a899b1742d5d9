import type { Answer } from '../reading/reading.ts';

/** How an answer ended that gave nothing to judge. */
export function describeEnd({ status, exchange, success }: Answer): string {
  if (success) return 'its bodies are not in the recording';
  return exchange.failure ? exchange.failure.kind : `status ${status}`;
}
