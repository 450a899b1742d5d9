import { type ClientRequest, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { Agents, type ProxyEnvironment } from '@candleproof/client/send/agents';
import { type BaseUrl, parseBaseUrl } from '@candleproof/client/send/base-url';
import { pairHeaderLines } from '@candleproof/law/reading/exchange';
import { lineOf, type RawLines } from './hop-by-hop.ts';

export type UpstreamOptions = {
  /** https, or http on loopback; without a trailing slash. */
  readonly baseUrl: string;
  /** PEM of an additional trusted authority. */
  readonly ca?: string | undefined;
  /** The environment with HTTPS_PROXY and NO_PROXY. */
  readonly proxyEnv?: ProxyEnvironment | undefined;
};

/** A request's first line and its headers. */
export type Head = { readonly method: string; readonly path: string; readonly lines: RawLines };

/** Most bytes of header lines, in both directions; more are rejected. */
export const maxHeaderBytes = 64 * 1024;

/** The service behind the proxy, reached over a pool of kept connections. */
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
    this.#agents = new Agents({ target: this.base, ca, proxyEnv });
  }

  /** Returns the number of active and idle connections. */
  get connections(): number {
    return this.#connections();
  }

  /**
   * Returns a function that sends a request, and throws if Node cannot write it. Connections open on the first request.
   */
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
        maxHeaderSize: maxHeaderBytes,
      });
      if (isUnframed) writeUnframed(request, head.lines);
      // Headers are limited by size; a limit of their number would drop lines silently.
      request.maxHeadersCount = 0;
      return request;
    };
  }

  async close(): Promise<void> {
    await this.#agents.close();
  }
}

/** Methods that Node sends without a body unchanged; to others it would add framing that the client did not send. */
const knownBare = /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/;
const framing = ['content-length', 'transfer-encoding'];

/** Writes lines without framing; lines with the same name are grouped, in their order. */
function writeUnframed(request: ClientRequest, lines: RawLines): void {
  for (const name of framing) request.removeHeader(name);
  for (const [name, value] of pairHeaderLines(lines)) request.appendHeader(name, value);
}
