import type { BodyCopying, PassedExchange, ReasonUnjudged, TrafficObserver } from '../traffic-observer.ts';

export type SeenPassing = TrafficObserver & {
  readonly taken: PassedExchange[];
  readonly missed: ReasonUnjudged[];
};

/** Returns an observer that keeps everything that passes. */
export function openTrafficObserver(mostBytes = 1 << 20): SeenPassing {
  const taken: PassedExchange[] = [];
  const missed: ReasonUnjudged[] = [];
  return {
    taken,
    missed,
    copy: () => startCopy(mostBytes),
    take: (exchange) => taken.push(exchange),
    miss: (reason) => missed.push(reason),
  };
}

function startCopy(mostBytes: number): BodyCopying {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (chunk) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else chunks = [];
      return bytes <= mostBytes;
    },
    end: () => (bytes > mostBytes ? 'too large' : new Uint8Array(Buffer.concat(chunks))),
    drop: () => undefined,
  };
}
