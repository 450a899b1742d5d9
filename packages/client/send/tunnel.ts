import type { ClientRequest } from 'node:http';
import type { AgentOptions, RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { TransferError } from './failure.ts';

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1];

/** Request options for an agent; `givenUp` exists because Node does not pass `signal` on. */
export type TunnelledOptions = RequestOptions & { readonly givenUp?: AbortSignal };

const OUT_OF_REACH = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Connects to the target through a proxy's CONNECT, so that the proxy sees only host and port. */
export class Tunnel extends HttpsProxyAgent<string> {
  readonly #targetHost: string;

  constructor(proxy: URL, targetHost: string, options: AgentOptions) {
    super(proxy, options as ConstructorParameters<typeof HttpsProxyAgent<string>>[1]);
    // The library uses its options only for the proxy: the target's certificate would be checked by other roots.
    Object.assign(this.options, options);
    this.#targetHost = targetHost;
  }

  override connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    request.once('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      // The library would return the proxy's refusal as if the target had sent it.
      if (statusCode !== 200) request.destroy(refusalError(statusCode));
    });
    // Node does not inform an agent of a request that ends before it has a socket: the proxy's would stay open.
    const { givenUp } = options as TunnelledOptions;
    this.connectOpts = { ...this.connectOpts, ...(givenUp && { signal: givenUp }) };
    const answer = super.connect(request, {
      ...options,
      checkServerIdentity: this.#identify,
    } as ConnectOptions);
    return answer.catch((error) => {
      throw OUT_OF_REACH.has(error?.code) ? this.#unreachableError(error) : error;
    });
  }

  /** Names the proxy, without user and password, because otherwise the target would appear to refuse. */
  #unreachableError({ code, message }: NodeJS.ErrnoException): Error {
    const line = `the proxy ${this.proxy.host} does not answer: ${message}: start it, or take it out of HTTPS_PROXY`;
    return Object.assign(new Error(line), { code });
  }

  /** Checks the target's name, because the library would compare a target without one with the proxy's. */
  readonly #identify = (_name: string, certificate: PeerCertificate): Error | undefined =>
    checkServerIdentity(this.#targetHost, certificate);
}

function refusalError(statusCode: number): TransferError {
  return new TransferError('unreachable', `the proxy answered ${statusCode} instead of opening a tunnel`);
}
