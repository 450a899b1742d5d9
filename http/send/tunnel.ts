import type { ClientRequest } from 'node:http';
import type { AgentOptions, RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { TransferError } from './failure.ts';

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1];

/** Request options that an agent receives; Node keeps the option `signal` from it. */
export type TunnelledOptions = RequestOptions & { readonly givenUp?: AbortSignal };

const OUT_OF_REACH = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Reaches the target through a proxy's CONNECT, so that the proxy sees host and port and nothing else. */
export class Tunnel extends HttpsProxyAgent<string> {
  readonly #targetHost: string;

  constructor(proxy: URL, targetHost: string, options: AgentOptions) {
    super(proxy, options as ConstructorParameters<typeof HttpsProxyAgent<string>>[1]);
    // The library keeps its options for the proxy alone: the target's certificate would meet other roots.
    Object.assign(this.options, options);
    this.#targetHost = targetHost;
  }

  override connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    request.once('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      // The library would play the proxy's refusal back as if the target had sent it.
      if (statusCode !== 200) request.destroy(refusal(statusCode));
    });
    // Node tells an agent nothing of a request given up before it has a socket: the proxy's would stay open.
    const { givenUp } = options as TunnelledOptions;
    this.connectOpts = { ...this.connectOpts, ...(givenUp && { signal: givenUp }) };
    const answer = super.connect(request, {
      ...options,
      checkServerIdentity: this.#identify,
    } as ConnectOptions);
    return answer.catch((error) => {
      throw OUT_OF_REACH.has(error?.code) ? this.#outOfReach(error) : error;
    });
  }

  /** Without a word of the proxy it would read as if the target refused; its user and password are left out. */
  #outOfReach({ code, message }: NodeJS.ErrnoException): Error {
    const line = `the proxy ${this.proxy.host} does not answer: ${message}: start it, or take it out of HTTPS_PROXY`;
    return Object.assign(new Error(line), { code });
  }

  /** A target given as an address would be compared with the proxy's name. */
  readonly #identify = (_name: string, certificate: PeerCertificate): Error | undefined =>
    checkServerIdentity(this.#targetHost, certificate);
}

function refusal(statusCode: number): TransferError {
  return new TransferError('unreachable', `the proxy answered ${statusCode} instead of opening a tunnel`);
}
