import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { TransferError } from '@candleproof/client/send/failure';
import { boundPieces } from '@candleproof/client/send/pieces';
import type { TrafficObserver } from '../traffic-observer.ts';
import { SpanClock } from '../traffic-observer.ts';
import { Admission } from './admission.ts';
import { answerOurselves, type OurAnswer } from './client-answer.ts';
import { faultOf } from './client-request.ts';
import { type ProxyLimits, type ReasonNotPassed, usualLimits } from './limits.ts';
import { type Certificate, createListener } from './listener.ts';
import { Passage } from './passage.ts';
import { Upstream, type UpstreamOptions } from './upstream.ts';

export type ProxyOptions = {
  readonly upstream: UpstreamOptions;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** PEM; plain HTTP by default. */
  readonly certificate?: Certificate | undefined;
  readonly observer: TrafficObserver;
  /** Longest wait for the headers of an answer, in ms. */
  readonly patienceMs: number;
  /** Limits that replace the default ones. */
  readonly limits?: Partial<ProxyLimits>;
  /** Called for everything that is rejected or dropped, with its count so far. */
  readonly onNotPassed?: (reason: ReasonNotPassed, count: number) => void;
};

export type ProxyCounts = {
  /** Open connections of clients, and unanswered requests. */
  readonly clients: number;
  readonly requests: number;
  /** Connections to the upstream, including idle ones. */
  readonly upstream: number;
  /** Counts of rejected and dropped items, by reason. */
  readonly notPassed: ReadonlyMap<ReasonNotPassed, number>;
};

export type RunningProxy = {
  readonly url: string;
  readonly counts: ProxyCounts;
  /** Lets running answers finish, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
};

/** Passes traffic to one upstream and back, unchanged. Rejects if the port is not available. */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { certificate, host, port, observer, patienceMs } = options;
  const limits = { ...usualLimits, ...options.limits };
  const upstream = new Upstream(options.upstream, limits.upstream);
  const send = await upstream.ready();
  const clock = new SpanClock();
  const notPassed = new Map<ReasonNotPassed, number>();
  const onNotPassed = (reason: ReasonNotPassed): void => {
    const count = (notPassed.get(reason) ?? 0) + 1;
    notPassed.set(reason, count);
    options.onNotPassed?.(reason, count);
  };
  const admission = new Admission(limits, patienceMs, onNotPassed);
  const target = { send, host: upstream.base.host, observer, patienceMs, idleMs: limits.idleMs, onNotPassed };
  const pass: RequestListener = (request, response) => {
    const onMany = (): void => admission.slow(request.socket);
    boundPieces(request, onMany);
    request.on('error', (error) => {
      if (error instanceof TransferError) onNotPassed('malformed');
    });
    admission.admit(request, response, (leave) => {
      const trouble =
        faultOf(request) ??
        troubleOf(() => {
          new Passage({ ...target, request, response, end: clock.begin(), onLeft: leave, onMany });
        });
      if (trouble === undefined) return;
      leave();
      onNotPassed('malformed');
      answerOurselves(response, trouble);
    });
  };
  const server = createListener({ certificate, limits, admission, pass, onNotPassed });
  admission.guard(server, certificate ? 'secureConnection' : 'connection');
  await listening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = isIPv6(host) ? `[${host}]` : host;
  return {
    url: `${certificate ? 'https' : 'http'}://${name}:${bound}`,
    get counts() {
      return { ...admission.counts, upstream: upstream.connections, notPassed };
    },
    close: (graceMs) => closeServer(server, graceMs).finally(() => upstream.close()),
  };
}

/** Catches Node's refusal to write some lines, and returns our answer: no input of a client ends the process. */
function troubleOf(send: () => void): OurAnswer | undefined {
  try {
    send();
    return undefined;
  } catch {
    return { status: 400, detail: 'the request cannot be passed on as it came', isLast: true };
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
