import { connect, type Socket } from 'node:net';
import type { ReasonNotPassed } from '../forwarding/limits.ts';
import { openProxy, type ProxyOptions, type RunningProxy } from '../forwarding/proxy.ts';
import { openTrafficObserver, type SeenPassing } from './open-traffic-observer.ts';
import { type RawScript, type RawUpstream, rawUpstream } from './raw-sockets.ts';

export type Proxied = {
  readonly proxy: RunningProxy;
  readonly upstream: RawUpstream;
  readonly port: number;
  readonly seen: SeenPassing;
  /** Reasons why something was not passed on, in order. */
  readonly notPassed: ReasonNotPassed[];
  /** Opens a client's connection, from another loopback address if one is given. */
  connect(localAddress?: string): Socket;
  close(): Promise<void>;
};

/** Starts a plain HTTP proxy before an upstream that answers by its script. */
export async function proxied(
  script: RawScript,
  options: Partial<Pick<ProxyOptions, 'limits' | 'patienceMs'>> = {},
): Promise<Proxied> {
  const upstream = await rawUpstream(script);
  const seen = openTrafficObserver();
  const notPassed: ReasonNotPassed[] = [];
  const proxy = await openProxy({
    ...{ host: '127.0.0.1', port: 0, patienceMs: 5000, observer: seen },
    upstream: { baseUrl: upstream.baseUrl },
    onNotPassed: (reason) => notPassed.push(reason),
    ...options,
  });
  const port = Number(new URL(proxy.url).port);
  const sockets: Socket[] = [];
  return {
    ...{ proxy, upstream, port, seen, notPassed },
    connect: (localAddress = '127.0.0.1') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
      sockets.push(socket);
      return socket;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await proxy.close(0);
      upstream.close();
    },
  };
}
