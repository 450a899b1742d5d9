import { type ClientRequest, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { pairHeaderLines } from '../../contract/reading/exchange.ts';
import { Agents } from '../../http/send/agents.ts';
import { type BaseUrl, parseBaseUrl } from '../../http/send/base-url.ts';
import { type ProxyEnvironment, proxyFor } from '../../http/send/proxy.ts';
import { lineOf, type RawLines } from './hop-by-hop.ts';

export type UpstreamOptions = {
  /** https, or http on loopback; without a trailing slash. */
  readonly baseUrl: string;
  /** PEM of an authority to trust besides those that Node trusts. */
  readonly ca?: string | undefined;
  /** The environment with HTTPS_PROXY and NO_PROXY. */
  readonly proxyEnv?: ProxyEnvironment | undefined;
};

/** A request's first line and its headers. */
export type Head = { readonly method: string; readonly path: string; readonly lines: RawLines };

/** Longer header lines are refused in both directions, in bytes. */
export const mostHeaderBytes = 64 * 1024;

/** The service behind the proxy, over a pool of kept connections. */
export class Upstream {
  readonly base: BaseUrl;
  readonly #agents: Agents;
  readonly #most: number;
  #connections = () => 0;

  /**
   * @param most connections at a time
   * @throws ClientError for a base URL or an authority that cannot work
   */
  constructor({ baseUrl, ca, proxyEnv }: UpstreamOptions, most: number) {
    this.#most = most;
    this.base = parseBaseUrl(baseUrl);
    this.#agents = new Agents({ target: this.base, ca, proxy: proxyEnv && proxyFor(this.base, proxyEnv) });
  }

  /** Those that requests are on, and those that are kept for the next ones. */
  get connections(): number {
    return this.#connections();
  }

  /** Nothing is opened before a request needs it. What it returns throws for a request that Node cannot write. */
  async ready(): Promise<(head: Head) => ClientRequest> {
    const agent = await this.#agents.pooledAgent();
    agent.maxSockets = this.#most;
    agent.maxFreeSockets = this.#most;
    this.#connections = () =>
      [agent.sockets, agent.freeSockets]
        .flatMap((readOnlyDict) => Object.values(readOnlyDict))
        .reduce((sum, sockets = []) => sum + sockets.length, 0);
    return (head) => {
      const { hostname, port, pathPrefix, isPlain } = this.base;
      const send = isPlain ? requestPlainly : requestSecurely;
      const isFramed = framing.some((name) => lineOf(head.lines, name) !== undefined);
      const isUnframed = !knownBare.test(head.method) && !isFramed;
      const request = send({
        agent,
        protocol: isPlain ? 'http:' : 'https:',
        hostname,
        port,
        method: head.method,
        path: `${pathPrefix}${head.path}`,
        ...(!isUnframed && { headers: [...head.lines] }),
        setHost: false,
        maxHeaderSize: mostHeaderBytes,
      });
      if (isUnframed) writeUnframed(request, head.lines);
      // Size is what bounds headers; the count would drop lines silently.
      request.maxHeadersCount = 0;
      return request;
    };
  }

  async close(): Promise<void> {
    await this.#agents.close();
  }
}

/** Methods that Node sends without a body as they are; to others it would add a framing that no one sent. */
const knownBare = /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/;
const framing = ['content-length', 'transfer-encoding'];

/** Lines of one name come together this way, in their order; nothing says of a framing. */
function writeUnframed(request: ClientRequest, lines: RawLines): void {
  for (const name of framing) request.removeHeader(name);
  for (const [name, value] of pairHeaderLines(lines)) request.appendHeader(name, value);
}
