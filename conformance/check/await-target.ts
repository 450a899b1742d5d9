import { cheapestPath } from '../../contract/document/operation.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { pause, sendUnlessStopped } from '../run/stop.ts';
import { createTargetClient, type SendingOptions } from './client.ts';
import type { Target } from './target.ts';

/** Time (ms) between two requests to a target that does not answer yet. */
const pauseMs = 1000;

/**
 * Waits until a target answers with anything but a server error, for `ms` at most. Sends no key, so that no quota is spent.
 * Returns whether it answered; a certificate that is not trusted is an answer too, since waiting mends nothing.
 */
export async function awaitTarget(
  target: Target,
  ms: number,
  options: Pick<SendingOptions, 'timeout'> & { readonly stop: AbortSignal },
): Promise<boolean> {
  const { stop } = options;
  const path = cheapestPath(target.spec, target.facts, Math.floor(Date.now() / 1000)) ?? '/';
  const client = createTargetClient(target, options);
  const end = performance.now() + ms;
  try {
    while (performance.now() < end && !stop.aborted) {
      const request = { path, credential: 'none', freshConnection: true } as const;
      const exchange = await sendUnlessStopped(client, request, stop);
      if (exchange && isUp(exchange)) return true;
      await pause(Math.min(pauseMs, Math.max(0, end - performance.now())), stop);
    }
    return false;
  } finally {
    await client.close();
  }
}

function isUp({ response, failure }: Exchange): boolean {
  return (response !== undefined && response.status < 500) || failure?.kind === 'certificate';
}
