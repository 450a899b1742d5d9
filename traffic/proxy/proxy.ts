import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Onlooker } from '../onlooker.ts';
import { SpanClock } from '../span-clock.ts';
import { answerOurselves } from './our-answer.ts';
import { Passage } from './passage.ts';
import { mostHeaderBytes, Upstream, type UpstreamOptions } from './upstream.ts';

export type ProxyOptions = {
  readonly upstream: UpstreamOptions;
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** PEM; plain HTTP where left out. */
  readonly certificate?: { readonly certPem: string; readonly keyPem: string } | undefined;
  readonly onlooker: Onlooker;
  /** Longest wait for the head of an answer, in ms. */
  readonly patienceMs: number;
};

export type RunningProxy = {
  readonly url: string;
  /** Lets answers that are under way end, for at most so many ms. */
  close(graceMs: number): Promise<void>;
};

/** Traffic to one upstream and back, unchanged. Rejects where the port cannot be had. */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { certificate, host, port, onlooker, patienceMs } = options;
  const upstream = new Upstream(options.upstream);
  const send = await upstream.ready();
  const clock = new SpanClock();
  const pass: RequestListener = (request, response) => {
    const end = clock.begin();
    // An absolute address or `*` belongs to a forward proxy, or to a server as a whole.
    if (request.url?.startsWith('/'))
      new Passage({ request, response, send, host: upstream.base.host, onlooker, end, patienceMs });
    else answerOurselves(response, 400, 'the request names no path of this service');
  };
  const limits = { maxHeaderSize: mostHeaderBytes };
  const server = certificate
    ? createServer({ ...limits, cert: certificate.certPem, key: certificate.keyPem }, pass)
    : createPlainServer(limits, pass);
  server.maxHeadersCount = 0;
  // Without it Node answers 100 itself, whatever the upstream makes of the request.
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  await listening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = isIPv6(host) ? `[${host}]` : host;
  return {
    url: `${certificate ? 'https' : 'http'}://${name}:${bound}`,
    close: (graceMs) => closed(server, graceMs).finally(() => upstream.close()),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

async function closed(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
